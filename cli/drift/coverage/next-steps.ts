import type { NextStep } from "../../report/html-page";
import { onStack, rightToken } from "../next-steps";
import type { CoverageReport } from "./report";

/** What the user can do about a report, most useful first. */
export function nextSteps(report: CoverageReport): NextStep[] {
  const { stacks, unmanaged, unread, accounts, accountMismatches = [] } = report;
  const on = onStack(stacks.find(({ file }) => file === undefined)?.stack);
  if (accountMismatches.length > 0) return rightToken(accountMismatches, on);
  const steps: NextStep[] = [];
  if (unread.length > 0)
    steps.push({
      title: "Find out why a list could not be read",
      text: "Checks the settings, the token and its permissions, and suggests a fix for each finding.",
      command: `dataplatform doctor${on}`,
    });
  if (unmanaged.length > 0)
    steps.push({
      title: "Write a program for what exists",
      text: "Writes a program for everything in the account, with a file for pulumi import: take what is not managed from it. To adopt single things, declare them and run the commands of this report.",
      command: `dataplatform export${on} ./adopt`,
    });
  if (accounts.some(({ extendedApi }) => !extendedApi))
    steps.push({
      title: "Count roles, groups and data stores too",
      text: "If this installation of the platform has the extended API, which can list them.",
      command: `pulumi config set dataplatform:extendedApi true${on}`,
    });
  return steps;
}
