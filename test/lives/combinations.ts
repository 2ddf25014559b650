import { Random } from "../chaos/random";
import { type Switches, type SwitchName, switchCatalogue } from "../second-platform";
import { expected } from "./expected";
import { oneOfEach, type Reading } from "./readings";

/** Values that make something impossible by themselves, and those that only make a run long. */
const impossible = new Set([...expected.map(({ reading }) => reading), "requestSize=413 above 4 KiB"]);
const leftOut: readonly SwitchName[] = ["rateLimit", "connection", "latency", "policyDelay", "requestSize"];

/** What is impossible, or a contradiction, together. */
const together: readonly { readonly when: Readonly<Record<string, string>>; readonly not: readonly SwitchName[] }[] = [
  // What is invalid cannot be told from a failure, so that nothing may be sent in another form.
  { when: { statusInvalid: "500" }, not: ["refreshCommandType", "packageRemoveSource", "folderLocationAfter"] },
  // An environment that is busy cannot be told from a request that is wrong.
  { when: { statusConflict: "any" }, not: ["packageBusy"] },
  { when: { refusalsUnder200: "any" }, not: ["packageBusy"] },
  // The list says that it is whole, and is not.
  { when: { usersEnvelope: "users with paging_info" }, not: ["usersPages"] },
  // Neither id nor token: nothing tells which account was made.
  { when: { accountAnswer: "without token" }, not: ["accountId"] },
  // An object that may be anything stands for an empty list.
  { when: { extraFields: "in the envelope" }, not: ["hiveEmpty", "policyViewNone"] },
];

/** Many silences read otherwise at once: about a fifth of the switches, the same for the same seed. */
export function combinations(count: number, seed: number): Reading[] {
  return Array.from({ length: count }, (_, index) => {
    const random = new Random(seed + index);
    const switches: Record<string, string> = {};
    for (const name of Object.keys(switchCatalogue) as SwitchName[]) {
      const values = switchCatalogue[name].values.filter((value) => !impossible.has(`${name}=${value}`));
      if (!leftOut.includes(name) && random.chance(0.2)) switches[name] = random.pick(values);
    }
    for (const { when, not } of together)
      if (
        Object.entries(when).every(([name, value]) => switches[name] === value || (value === "any" && switches[name]))
      )
        for (const name of not) delete switches[name];
    return { switches: switches as Partial<Switches>, names: oneOfEach };
  });
}
