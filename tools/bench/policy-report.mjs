import { variants } from "./variants.mjs";

/** How much longer a preview of a thousand resources may take with the policy pack. */
const allowed = 1.05;

/** @param {import("./policies.mjs").PolicyCost[]} costs */
export function policySection(costs) {
  if (costs.length === 0) return "";
  const rows = costs.flatMap((cost) =>
    [
      /** @type {const} */ (["time", "seconds"]),
      /** @type {const} */ (["CPU time of all processes", "cpuSeconds"]),
    ].map(([title, what]) => {
      const { without, guarded, ratio } = mediansOf(cost, what);
      return `| ${titleOf(cost)}, ${title} | ${without.toFixed(1)} s | ${guarded.toFixed(1)} s | ${ratio.toFixed(2)}× |`;
    }),
  );
  return `## The policy pack

A preview without and with the [policy pack](policies.md), by turns on the same stack, ${costs[0]?.without.length} times each; the medians.

| | without | with | |
|---|---|---|---|
${rows.join("\n")}

`;
}

/** @param {import("./policies.mjs").PolicyCost[]} costs @returns {import("./goals.mjs").Goal[]} */
export function policyGoals(costs) {
  if (costs.length === 0) return [];
  const ratios = costs.map((cost) => ({
    mode: cost.variant.replace("ours-", ""),
    ratio: mediansOf(cost, "seconds").ratio,
  }));
  return [
    {
      goal: `preview of ${costs[0]?.size} resources with the policy pack: at most ${allowed.toFixed(2)}× the time of the one without`,
      measured: ratios.map(({ mode, ratio }) => `${mode} ${ratio.toFixed(2)}×`).join(", "),
      holds: ratios.every(({ ratio }) => ratio <= allowed),
    },
  ];
}

/** @param {import("./policies.mjs").PolicyCost} cost @param {keyof import("./policies.mjs").Cost} what */
function mediansOf({ without, with: guarded }, what) {
  const [plain = Number.NaN, judged = Number.NaN] = [without, guarded].map((costs) =>
    median(costs.map((one) => one[what])),
  );
  return { without: plain, guarded: judged, ratio: judged / plain };
}

/** @param {import("./policies.mjs").PolicyCost} cost */
function titleOf({ variant, size }) {
  return `${variants[variant]?.title}, ${size} resources`;
}

/** @param {readonly number[]} values */
function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
