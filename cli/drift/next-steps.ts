import { type AccountMismatch, mismatchText } from "../platform/accounts";
import { onStack } from "../pulumi/run";
import type { NextStep } from "../report/model";
import { quoted } from "../terminal/quote";
import type { DriftReport } from "./report";

/** What the user can do about a report, most useful first. `inPipeline`: only what the pipeline allows. */
export function nextSteps(report: DriftReport, inPipeline = false): NextStep[] {
  const { summary, stack, refreshedAt, accountMismatches = [] } = report;
  const on = onStack(stack);
  // With the wrong token, nothing else in the report is reliable.
  if (accountMismatches.length > 0) return rightToken(accountMismatches, on, inPipeline);
  const steps: NextStep[] = [];
  if (refreshedAt !== undefined)
    steps.push({
      title: "Compare with the program",
      text: "Shows what the refresh has overwritten and the program still declares. After the next pulumi up, drift compares with what that declared.",
      command: `pulumi preview --diff${on}`,
    });
  if (summary.drifted + summary.gone > 0) {
    if (inPipeline) steps.push(...pipelineRepair(stack), { ...takenOverFirst, command: refreshOfOne(report, on) });
    else steps.push(...repair(on), { ...changedFirst, command: `pulumi refresh${on}` });
  }
  if (summary.error > 0) steps.push(findOutWhy("a resource", on));
  if (summary.unverifiable > 0)
    steps.push({
      title: "Check unverifiable resources yourself",
      text: "The API cannot read these resources, so drift cannot be detected. Use the platform's user interface.",
    });
  return steps;
}

const changedFirst = {
  title: "Or change the program to match the platform, then",
  text: "Change the program first, or the next pulumi up reverts everything (remove resources that are gone), and commit it. Then refresh the state; a preview should show no changes.",
};

/** What is merged is applied by a plan, which a refresh in between would make stale. */
const takenOverFirst = {
  title: "Or take one over: refresh its state first, then merge a change of the program that matches the platform",
  text: "A refresh without --target takes over all that has drifted, and nothing reports it any more (pulumi stack --show-urns has the URNs). Plans that are open are refused as stale, and made anew. Remove resources that are gone from the program; the preview of that pull request should show no changes.",
};

function refreshOfOne({ resources }: DriftReport, on: string): string {
  const [one, ...others] = resources.filter(({ status }) => status === "drifted" || status === "gone");
  return `pulumi refresh --target ${one && others.length === 0 ? quoted(one.urn) : "URN"}${on}`;
}

function repair(on: string): NextStep[] {
  return [
    {
      title: "Preview the repair",
      text: "Shows every change without applying it.",
      command: `pulumi preview --refresh --diff${on}`,
    },
    {
      title: "Restore what is declared",
      text: "Reverts what has drifted and recreates what is gone.",
      command: `pulumi up --refresh${on}`,
    },
  ];
}

/** A repair is a plan there, judged and approved like any other. */
function pipelineRepair(stack: string | undefined): NextStep[] {
  return [
    {
      title: "Restore what is declared: start the pipeline's repair, or make its plan on your own machine",
      text: "Reverts what has drifted and recreates what is gone, and nothing else.",
      command: `dataplatform pipeline repair ${stack ?? "STACK"}`,
    },
  ];
}

/** `what` could not be read. */
export function findOutWhy(what: string, on: string): NextStep {
  return {
    title: `Find out why ${what} could not be read`,
    text: "Checks the settings, the token and its permissions, and suggests a fix for each finding.",
    command: `dataplatform doctor${on}`,
  };
}

export function rightToken(mismatches: readonly AccountMismatch[], on: string, inPipeline = false): NextStep[] {
  return mismatches.map((mismatch) => ({
    title: `Use a token of account ${mismatch.resourceAccounts.join(", ")}`,
    text: `${mismatchText(mismatch)}. If the resources use an explicit provider, change the token there.`,
    // A job's token is a secret of its environment.
    ...(!inPipeline && { command: `pulumi config set --secret dataplatform:apiToken${on}` }),
  }));
}
