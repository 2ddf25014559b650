/** Student's t for 95 %, by degrees of freedom; later ones are close to the last. */
const student = [12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23];

/** Smaller differences are not worth a word, however sure they are. */
const tolerance = 0.02;

/**
 * @typedef {object} Row one number, measured several times
 * @property {string} name
 * @property {"×" | "s" | "MB" | "kB"} unit × is ours divided by the other one's of the same pair
 * @property {number[]} values
 * @property {number | undefined} [goal] it may be at most that much
 * @property {boolean} [exact] the same in every run, so that once is enough
 *
 * @typedef {{ mean: number, low: number, high: number }} Interval
 */

/**
 * The geometric mean, which treats 2× and 0.5× alike, and where it lies with 95 %. One measurement says nothing about that.
 * @param {Pick<Row, "values" | "exact">} row
 * @returns {Interval}
 */
export function interval({ values, exact = false }) {
  const logs = values.map(Math.log);
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length;
  if (exact) return { mean: Math.exp(mean), low: Math.exp(mean), high: Math.exp(mean) };
  if (logs.length < 2) return { mean: Math.exp(mean), low: 0, high: Number.POSITIVE_INFINITY };
  const variance = logs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (logs.length - 1);
  const t = student[logs.length - 2] ?? student.at(-1) ?? 0;
  const half = t * Math.sqrt(variance / logs.length);
  return { mean: Math.exp(mean), low: Math.exp(mean - half), high: Math.exp(mean + half) };
}

/** @param {Interval} found @param {number} goal "open" while the interval holds both */
export function goalVerdict({ low, high }, goal) {
  return high <= goal ? "held" : low > goal ? "missed" : "open";
}

/**
 * All numbers here are costs: more is worse.
 * @param {Interval} now
 * @param {Interval} before
 * @returns {"same" | "better" | "worse"} only differences beyond both intervals count
 */
export function change(now, before) {
  if (Math.abs(now.mean / before.mean - 1) < tolerance) return "same";
  if (now.low > before.high) return "worse";
  return now.high < before.low ? "better" : "same";
}
