/** Something that is not done, and why. */
export class Refused extends Error {
  /** `renew`: how a new plan of this kind is made. */
  constructor(
    readonly reasons: readonly string[],
    readonly renew?: string,
  ) {
    super(reasons.join("\n"));
  }
}

export function refuse(reasons: readonly string[]): void {
  if (reasons.length > 0) throw new Refused(reasons);
}

/** Of these kinds, a plan that is made now has none. */
const ofOldPlans =
  /^(missing|not this one|passed over|changed|unsigned|other key|foreign|other version|other files|too old|stale|drifted): /;

/** Whether a new plan would help: not, for example, as long as something is not committed or cannot be read. */
export const isRenewable = (reasons: readonly string[]): boolean => reasons.every((reason) => ofOldPlans.test(reason));
