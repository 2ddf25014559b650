/** Something that is not done, and why. */
export class Refused extends Error {
  constructor(readonly reasons: readonly string[]) {
    super(reasons.join("\n"));
  }
}
