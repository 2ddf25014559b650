/** The name that was probably meant: one that is close enough, or the only one that contains it. */
export function closest(name: string, allowed: readonly string[]): string | undefined {
  const plain = (text: string): string => text.toLowerCase().replace(/[_-]/g, "");
  const ranked = allowed
    .map((candidate) => ({ candidate, distance: editDistance(plain(name), plain(candidate)) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  if (!best) return undefined;
  const most = Math.max(1, Math.floor(Math.max(name.length, best.candidate.length) / 3));
  if (best.distance <= most) return best.candidate;
  const containing = allowed.filter((candidate) => plain(candidate).includes(plain(name)));
  return name.length > 2 && containing.length === 1 ? containing[0] : undefined;
}

/** How many letters must be added, dropped, changed, or swapped with their neighbour to turn one word into the other. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? before[j - 2]! + 1 : changed;
      next.push(Math.min(changed, swapped, row[j]! + 1, next[j - 1]! + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length]!;
}
