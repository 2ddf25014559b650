import { extendedApiOn } from "../../inventory/things";
import type { NextStep } from "../../report/model";
import { quoted } from "../../terminal/quote";
import { findOutWhy, onStack, rightToken } from "../next-steps";
import type { CoverageReport } from "./report";

/** What the user can do about a report, most useful first. */
export function nextSteps(report: CoverageReport): NextStep[] {
  const { stacks, unmanaged, unread, accounts, accountMismatches = [] } = report;
  const on = onStack(stacks.find(({ file }) => file === undefined)?.stack);
  if (accountMismatches.length > 0) return rightToken(accountMismatches, on);
  const steps: NextStep[] = [];
  if (unread.length > 0) steps.push(findOutWhy("a list", on));
  if (unmanaged.length > 0)
    steps.push({
      title: "Write the code for what is not managed",
      text: "Writes TypeScript or Python, with a file for pulumi import. To adopt single things, declare them and run the commands of this report.",
      command: `dataplatform export --missing${managers(stacks)} ./adopt`,
    });
  const title = "Count roles, groups and data stores too";
  const text = "If this installation of the platform has the extended API, which can list them.";
  const command = `pulumi config set dataplatform:extendedApi true${on}`;
  for (const provider of new Set(accounts.filter((one) => !one.extendedApi).map((one) => one.provider)))
    steps.push(
      provider === undefined ? { title, text, command } : { title: `${title}: set ${extendedApiOn(provider)}`, text },
    );
  return steps;
}

/** The same stacks and files, so that what they manage is left out. */
function managers(stacks: CoverageReport["stacks"]): string {
  return stacks
    .map(({ stack, file }) => (file === undefined ? ` --stack ${quoted(stack)}` : ` --state ${quoted(file)}`))
    .join("");
}
