import { policyGoals } from "./policy-report.mjs";

const operations = ["up", "preview", "refresh", "destroy"];

/**
 * The project's performance goals as a table: goal, measurement, whether it holds.
 * @param {import("./report.mjs").Medians} table
 * @param {Pick<import("./report.mjs").Result, "processes" | "policies">} result
 * @param {number} cores
 */
export function goals(table, { processes, policies = [] }, cores) {
  const rows = [
    ...againstLimit(table),
    ...latency(table, 4 * cores),
    ...againstNaive(table),
    ...stateAgainstNaive(table),
    ...calls(table),
    ...againstTerraform(table),
    ...flatness(table),
    ...growth(table),
    ...memory(table),
    ...processGoals(processes),
    ...policyGoals(policies),
  ];
  if (rows.length === 0) return "No measurements at the sizes that the goals cover.";
  return `| goal | measured | |\n|---|---|---|\n${rows.map(({ goal, measured, holds }) => `| ${goal} | ${measured} | ${holds ? "holds" : "**missed**"} |`).join("\n")}`;
}

/**
 * @typedef {{ goal: string, measured: string, holds: boolean }} Goal
 * @typedef {import("./report.mjs").Medians} Medians
 */

/** What was measured of everything; single variants may go further. @param {Medians} table */
function largest(table) {
  const sizes = table.measurements.filter(({ variant }) => variant === "ours-dynamic").map(({ size }) => size);
  return Math.max(0, ...sizes);
}

/** @param {Medians} table @returns {Goal[]} */
function againstLimit(table) {
  const size = largest(table);
  return ["dynamic", "plugin"].flatMap((mode) =>
    [true, false].flatMap((checkpoints) => {
      const ratios = operations.flatMap((operation) => {
        const ours = table.get({ variant: `ours-${mode}`, size, latencyMs: 0, checkpoints, operation });
        const limit = table.get({ variant: `noop-${mode}`, size, latencyMs: 0, checkpoints, operation });
        return ours && limit ? [{ operation, ratio: ours.seconds / limit.seconds }] : [];
      });
      if (ratios.length === 0) return [];
      return [
        {
          goal: `${mode}, ${size} resources${checkpoints ? "" : ", without checkpoints"}: at most 1.10× the provider that does nothing`,
          measured: ratios.map(({ operation, ratio }) => `${operation} ${ratio.toFixed(2)}×`).join(", "),
          holds: ratios.every(({ ratio }) => ratio <= 1.1),
        },
      ];
    }),
  );
}

/**
 * The cost of a slow platform: only the sequential waits that the API requires. A create is an add and a list, with one
 * create per engine worker in parallel; a batch of deletes is a single wait.
 * @param {Medians} table
 * @param {number} workers
 * @returns {Goal[]}
 */
function latency(table, workers) {
  const size = largest(table);
  return ["dynamic", "plugin"].flatMap((mode) => {
    const rows = operations.flatMap((operation) => {
      const [quick, slow] = [0, 20].map((latencyMs) =>
        table.get({ variant: `ours-${mode}`, size, latencyMs, checkpoints: false, operation }),
      );
      if (!quick || !slow || slow.calls === 0) return [];
      const waits = operation === "up" ? (2 * size) / workers + 1 : slow.calls;
      const cost = waits * 0.02;
      // Identical runs differ by a tenth and more.
      const allowed = cost + quick.seconds * 0.1;
      return [{ operation, more: slow.seconds - quick.seconds, cost, allowed }];
    });
    if (rows.length === 0) return [];
    return [
      {
        goal: `${mode}, ${size} resources, without checkpoints: at 20 ms no more on top than the calls cost`,
        measured: rows
          .map(({ operation, more, cost }) => `${operation} ${more.toFixed(1)} s (calls ${cost.toFixed(1)} s)`)
          .join(", "),
        holds: rows.every(({ more, allowed }) => more <= allowed),
      },
    ];
  });
}

/** @param {Medians} table @returns {Goal[]} */
function againstNaive(table) {
  return [true, false].flatMap((checkpoints) => {
    // With checkpoints, the naive provider takes ten minutes for 1,000 resources, so that is not always measured.
    const size = Math.max(0, ...table.sizes(checkpoints, 20, "naive"));
    const seconds = (/** @type {string} */ variant) =>
      operations.reduce((sum, operation) => {
        const row = table.get({ size, latencyMs: 20, checkpoints, variant, operation });
        return sum + (row?.seconds ?? Number.NaN);
      }, 0);
    const ratio = seconds("naive") / seconds("ours-dynamic");
    if (Number.isNaN(ratio)) return [];
    return [
      {
        goal: `${size} resources at 20 ms${checkpoints ? "" : ", without checkpoints"}: at least 2× faster than the naive provider (all four operations)`,
        measured: `${ratio.toFixed(2)}×`,
        holds: ratio >= 2,
      },
    ];
  });
}

/** @param {Medians} table @returns {Goal[]} */
function stateAgainstNaive(table) {
  const size = largest(table);
  const key = { size, latencyMs: 20, checkpoints: false, operation: "up" };
  const [ours, naive] = ["ours-dynamic", "naive"].map((variant) => table.get({ ...key, variant })?.stateBytes);
  if (!ours || !naive) return [];
  return [
    {
      goal: `${size} resources: state at least 2× smaller than the naive provider's`,
      measured: `${(naive / ours).toFixed(2)}×`,
      holds: naive / ours >= 2,
    },
  ];
}

/** @param {Medians} table @returns {Goal[]} */
function calls(table) {
  const sizes = table.sizes(false, 0);
  const counts = (/** @type {string} */ operation) =>
    sizes.flatMap((size) => {
      const row = table.get({ variant: "ours-dynamic", size, latencyMs: 0, checkpoints: false, operation });
      return row ? [{ size, calls: row.calls }] : [];
    });
  const [refresh, destroy] = [counts("refresh"), counts("destroy")];
  if (refresh.length === 0) return [];
  const perSize = (/** @type {{ size: number, calls: number }[]} */ rows) =>
    rows.map(({ size, calls: count }) => `${count} for ${size}`).join(", ");
  return [
    {
      goal: "calls for the refresh of N addresses: constant",
      measured: perSize(refresh),
      holds: refresh.every((row) => row.calls <= 2),
    },
    {
      goal: "calls for the destroy of N addresses: at most N/50 + 1",
      measured: perSize(destroy),
      holds: destroy.every((row) => row.calls <= row.size / 50 + 1),
    },
  ];
}

/** @param {Medians} table @returns {Goal[]} */
function againstTerraform(table) {
  const size = largest(table);
  const set = table.get({ variant: "ours-set", size, latencyMs: 20, checkpoints: true, operation: "up" });
  const terraform = table.get({ variant: "terraform", size, latencyMs: 0, checkpoints: true, operation: "up" });
  if (!set || !terraform) return [];
  return [
    {
      goal: `one IpWhitelist with ${size} addresses at 20 ms: up faster than Terraform's do-nothing run`,
      measured: `${set.seconds.toFixed(1)} s against ${terraform.seconds.toFixed(1)} s`,
      holds: set.seconds < terraform.seconds,
    },
  ];
}

/** @param {Medians} table @returns {Goal[]} */
function flatness(table) {
  const size = largest(table);
  const own = (/** @type {number} */ at) => {
    const ours = table.get({ variant: "ours-dynamic", size: at, latencyMs: 20, checkpoints: false, operation: "up" });
    const limit = table.get({ variant: "noop-dynamic", size: at, latencyMs: 0, checkpoints: false, operation: "up" });
    return ours && limit ? ((ours.seconds - limit.seconds) / at) * 1000 : undefined;
  };
  const [small, large] = [own(100), own(size)];
  if (small === undefined || large === undefined || size <= 100) return [];
  return [
    {
      goal: `cost per resource at 20 ms, less the engine's own: flat from 100 to ${size}`,
      measured: `${small.toFixed(1)} ms, then ${large.toFixed(1)} ms`,
      holds: large <= small * 1.25 + 1,
    },
  ];
}

/** Ten times the addresses in one IpWhitelist. @param {Medians} table @returns {Goal[]} */
function growth(table) {
  const [small, large] = [1_000, 10_000];
  const ratios = operations.flatMap((operation) => {
    const [before, after] = [small, large].map((size) =>
      table.get({ variant: "ours-set", size, latencyMs: 0, checkpoints: true, operation }),
    );
    return before && after ? [{ operation, ratio: after.seconds / before.seconds }] : [];
  });
  if (ratios.length === 0) return [];
  return [
    {
      goal: `one IpWhitelist with ${large} addresses: at most ${large / small}× the time of ${small}`,
      measured: ratios.map(({ operation, ratio }) => `${operation} ${ratio.toFixed(1)}×`).join(", "),
      holds: ratios.every(({ ratio }) => ratio <= large / small),
    },
  ];
}

/** @param {Medians} table @returns {Goal[]} */
function memory(table) {
  const rows = table.measurements.filter(({ variant }) => variant === "ours-plugin");
  const sizes = [...new Set(rows.map(({ size }) => size))].sort((a, b) => a - b).slice(-2);
  if (sizes.length === 0) return [];
  const peaks = sizes.map((size) => Math.max(...rows.filter((row) => row.size === size).map((row) => row.memoryMb)));
  return [
    {
      goal: `the plugin stays under 100 MB at ${sizes.join(" and ")} resources`,
      measured: peaks.map((peak) => `${peak} MB`).join(", "),
      holds: peaks.every((peak) => peak < 100),
    },
  ];
}

/** @param {import("./report.mjs").Result["processes"]} processes @returns {Goal[]} */
function processGoals(processes) {
  const [bare, plugin] = processes;
  if (!bare || !plugin) return [];
  const ratio = plugin.startMs / bare.startMs;
  return [
    {
      goal: "the plugin starts in at most 3× the time of a bare node",
      measured: `${ratio.toFixed(1)}×`,
      holds: ratio <= 3,
    },
  ];
}
