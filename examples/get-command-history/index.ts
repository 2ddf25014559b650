import * as dataplatform from "pulumi-dataplatform";

const week = 7 * 24 * 60 * 60 * 1000;

const { commands } = dataplatform.getCommandHistoryOutput({
  startDate: new Date(Date.now() - week),
  allUsers: true,
  limit: 500,
});

export const failed = commands.apply((all) => all.filter(({ status }) => status === "error").map(({ id }) => id));

// The whole history, page by page.
async function countByStatus(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for await (const { status } of dataplatform.commandHistory({ allUsers: true })) {
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

export const counts = countByStatus();
