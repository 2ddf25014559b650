/**
 * Strict readings, and forms of a refusal: no life breaks a rule or meets a refusal, so with each value it gets the
 * answers that it gets without it. These are tried together: the first values of all on one platform, the second values
 * on the next. They fail there as they would alone, once the provider sends something loose.
 */
const idle = `
  unknownPath requestContentType requestAccept redirectAddress errorBody statusUnauthenticated statusForbidden
  statusInvalid statusMissing statusConflict refusalsUnder200 bodyErrorForm mandatory unknownParameters nullParameters
  emptyTexts whitelistInvalid whitelistRepeat whitelistRefusals whitelistDeleteUnknown whitelistDeleteComma
  historyPerPageAbove sparkSource packageBlanks policyEmptyLists policyViewSource roleAssigned
`;

const names = new Set(idle.trim().split(/\s+/));

export interface Choice {
  readonly title: string;
  readonly switches: Readonly<Record<string, string>>;
}

/** Every value but the defaults: one at a time, but those of idle switches together. */
export function choicesOf(catalogue: Readonly<Record<string, readonly string[]>>): Choice[] {
  const entries = Object.entries(catalogue);
  const alone = entries
    .filter(([name]) => !names.has(name))
    .flatMap(([name, values]) => values.slice(1).map((value) => ({ [name]: value })))
    .map((switches) => ({ title: titleOf(switches), switches }));
  const resting = entries.filter(([name]) => names.has(name));
  const most = Math.max(...resting.map(([, values]) => values.length));
  const rounds = Array.from({ length: most - 1 }, (_, round) => ({
    title: `value ${round + 1} of the idle switches`,
    switches: Object.fromEntries(
      resting.flatMap(([name, values]) => (values[round + 1] === undefined ? [] : [[name, values[round + 1]!]])),
    ),
  }));
  return [...alone, ...rounds];
}

export function titleOf(switches: object): string {
  const values = Object.entries(switches).map(([name, value]) => `${name}=${value}`);
  return values.join(", ") || "defaults";
}
