/** Hands out unique resource names of lower-case letters, digits and hyphens. */
export class Names {
  readonly #used: Set<string>;

  /** `used`: names that are taken already. */
  constructor(used: Iterable<string> = []) {
    this.#used = new Set(used);
  }

  of(text: string): string {
    const base = slug(text) || "resource";
    let name = base;
    for (let count = 2; this.#used.has(name); count++) name = `${base}-${count}`;
    this.#used.add(name);
    return name;
  }
}

/** Lower-case letters, digits and single hyphens. */
export function slug(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 80);
}
