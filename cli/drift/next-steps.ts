import { mismatchText } from "../platform/accounts";
import type { DriftReport } from "./report";

export interface NextStep {
  readonly title: string;
  readonly text: string;
  readonly command?: string;
}

/** What a person can do about a report, most useful first. */
export function nextSteps({ summary, stack, accountMismatches = [] }: DriftReport): NextStep[] {
  const on = /^[\w./-]+$/.test(stack) ? ` --stack ${stack}` : "";
  // As long as the token is a wrong one, nothing else can be told.
  if (accountMismatches.length > 0)
    return accountMismatches.map((mismatch) => ({
      title: `Use a token of account ${mismatch.resourceAccounts.join(", ")}`,
      text: `${mismatchText(mismatch)}. If the resources have a provider of their own, change the token there.`,
      command: `pulumi config set --secret dataplatform:apiToken${on}`,
    }));
  const steps: NextStep[] = [];
  if (summary.drifted + summary.gone > 0) {
    steps.push(
      {
        title: "See what a repair would do",
        text: "Shows every change without making it.",
        command: `pulumi preview --refresh --diff${on}`,
      },
      {
        title: "Put the platform back to what is declared",
        text: "Changes back what has drifted and makes anew what is gone.",
        command: `pulumi up --refresh${on}`,
      },
      {
        title: "Or keep what is on the platform",
        text: "Write it into the program (for what is gone: take the resource out), commit that, and let the state follow. A preview afterwards shows no change.",
        command: `pulumi refresh${on}`,
      },
    );
  }
  if (summary.error > 0)
    steps.push({
      title: "Find out why something could not be read",
      text: "Checks the settings, the token and what it may read, and names the command that fixes each finding.",
      command: `dataplatform doctor${on}`,
    });
  if (summary.unverifiable > 0)
    steps.push({
      title: "Look at what is not verifiable yourself",
      text: "The API cannot show these resources, so nobody can tell whether they have drifted. The platform's user interface can.",
    });
  return steps;
}
