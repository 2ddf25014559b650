/** What one file's change does, in words. */
export interface Change {
  readonly words: string;
  /** Whether it may loosen what guards the platform, and so needs an approval of its own. */
  readonly loosens: boolean;
}
