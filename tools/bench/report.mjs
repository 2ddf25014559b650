import { accessSection } from "./access.mjs";
import { exportSection } from "./export.mjs";
import { goals } from "./goals.mjs";
import { plot } from "./plot.mjs";
import { policySection } from "./policy-report.mjs";
import { variants } from "./variants.mjs";

/**
 * @typedef {object} Result
 * @property {{ cores: number, memoryGb: number, node: string, platform: string }} machine
 * @property {{ title: string, startMs: number, memoryMb: number }[]} processes
 * @property {import("./policies.mjs").PolicyCost[]} [policies]
 * @property {import("./access.mjs").AccessCost[]} [access] absent in numbers of earlier versions
 * @property {import("./export.mjs").ExportCost} [export]
 * @property {import("../bench.mjs").Measurement[]} measurements
 */

const operations = ["up", "preview", "refresh", "destroy"];

/**
 * Renders the page and the plot from the raw numbers.
 * @param {Result} result
 */
export function report(result) {
  const table = new Medians(result.measurements);
  const sections = [];
  for (const checkpoints of [true, false]) {
    for (const latencyMs of table.latencies(checkpoints)) sections.push(section(table, checkpoints, latencyMs));
  }
  const { machine } = result;
  const markdown = `<!-- Made by \`npm run bench\` from performance.json. Do not edit. -->
# Performance

What the provider costs on top of the engine itself. Every figure is the median of its runs on one machine (${machine.cores} cores, ${machine.memoryGb} GB, ${machine.platform}, Node ${machine.node}) with the engine's default parallelism. What counts are the ratios within the run, in brackets, against a provider that does nothing in the same mode. Run it yourself with \`npm run bench\`; the raw numbers are in \`docs/performance.json\` of the repository.

![Seconds for pulumi up by number of resources](performance.svg)

## Goals

${goals(table, result, machine.cores)}

${steadiness(table)}

## The provider process

| process | start | memory |
|---|---|---|
${result.processes.map(({ title, startMs, memoryMb }) => `| ${title} | ${startMs} ms | ${memoryMb} MB |`).join("\n")}

${policySection(result.policies ?? [])}${accessSection(result.access ?? [])}
${exportSection(result.export)}
${sections.join("\n")}
## Where a goal is missed, and why

Found with V8's profiler and a log of the calls, at 1,000 resources without checkpoints.

- **Calls for destroy.** The engine runs a fixed number of deletes at once (four per core unless \`--parallel\` says otherwise) and waits for each. A delete is answered only when the platform has done it, so a batch holds as many as there are workers: N / 8 calls on two cores, N / 64 with \`--parallel 64\`. Answering earlier would reach N / 50 and could lose entries. \`IpWhitelist\` deletes 200 in a call.
- **Destroy and refresh through the plugin.** The plugin that does nothing is done in about two seconds, of which the CLI's own start takes half a second. Ours loads zod and its definitions on top, then reads each value out of the engine's message and compares it, where the other one passes the message back unread: 0.15 ms per resource in the thread that answers. In destroy, all workers wait for the same call, so the engine's part and the platform's do not overlap: 125 times about 3 ms. After most of these runs, the plugin got a gRPC server of its own and stopped loading what it does not use. By turns, in CPU time on a busy machine: its start takes 0.42 s instead of 0.55 s (0.33 s for the one that does nothing), and 1,000 resources without the engine, start included (medians of three), 1.6 s instead of 2.2 s for a refresh, 1.8 s instead of 2.6 s for a preview, 1.8 s instead of 1.9 s for a destroy; an up stayed at 4.4 s. The plugin's runs with 1,000 resources without checkpoints and a platform that answers at once are from then; the machine changed its speed within them, so their ratio for up says little: by turns with the version before, up took 19.6 and 22.0 s, and 20.8 and 20.5 s before. The runs with 2,000 resources had ten processes waiting for the two cores: their times say nothing, only their memory does. On Node 22 and later, \`NODE_COMPILE_CACHE=<folder>\` saves another 0.07 s of each start.
- **Up.** The platform here is an emulator on the same two cores. 1,000 adds at 1.3 ms and 130 lists of up to 3.5 ms each are more than 1.5 s of their time, about as much as \`up\` takes beyond the limit.
- **Up with checkpoints.** The engine writes the whole state around each step: at 1,000 resources about 40 s of the 55 s of a provider that does nothing, as the runs without them show. More of our creates ask for a list of their own then (1,500 calls instead of 1,130), presumably because the writes hold the steps apart, and all of it runs on the writer's two cores.
- **Against the naive provider.** Both pay for the engine, which is most of what ours takes: beyond the limit, ours takes 7 s at 20 ms and the naive one 48 s. With checkpoints, which is how Pulumi runs unless told otherwise, its state of almost eight times the size is written at every step as well, and the goal holds; that was measured at 400 resources, because a thousand would take it about ten minutes a run.
- **Memory.** It holds since what grew was found; the runs with 2,000 resources, and those with 1,000 without checkpoints, show it; the others are older. What a run keeps is about 1 kB per resource (what the program declares): 16.6 MB of objects at 1,000 resources, 18.0 at 2,000, 19.7 at 4,000. The rest was garbage: each list of the addresses outlived the young objects, and V8 collected the old ones once in 2,000 resources. Now it collects them earlier, and the plugin loads less: without the engine, 77 MB instead of 92 at 1,000 resources, and 81 MB instead of 113 at 2,000.
- **The policy pack.** The time of a preview is that of the program's process, which takes most of both. The pack and the engine's questions to it use the other core meanwhile, so the medians differ by a few per cent, although single pairs differed by up to 48 % on this machine. In CPU time the pack costs 10 to 15 %. A profile of the engine (\`pulumi preview --profiling\`, 1,000 resources in plugin mode) shows 4.2 s without the pack and 5.3 s with it: the engine asks twice about each resource, whatever rules there are. The pack's own process uses about 1.7 s (the median of seven runs without the engine): 0.3 s to start, 0.5 s to decline remediations, 0.8 s to judge each resource, 0.15 s for the stack. With \`@grpc/grpc-js\`, and with V8's optimiser, it was 2.4 s.

## How to read it

- "Does nothing" is the limit: the engine, its state file and its Node host, with resources that have the same properties as ours and a provider that answers at once.
- The file backend writes the whole state after every step, so time grows with the number of resources times the bytes of state. Without these checkpoints (\`PULUMI_SKIP_CHECKPOINTS\`) the provider itself shows more clearly.
- "Naive" is a dynamic provider as tutorials teach it: a class with an inline client, created for each resource, and one list call per read.
`;
  return { markdown, svg: plot(table) };
}

/**
 * How much the machine itself varies from run to run: ratios within that range mean nothing.
 * @param {Medians} table
 */
function steadiness(table) {
  const spreads = table.spreads(({ variant, size }) => variant.startsWith("noop-") && size >= 100);
  if (spreads.length === 0) return "";
  const typical = spreads[Math.floor(spreads.length / 2)] ?? 1;
  const worst = spreads.at(-1) ?? 1;
  const percent = (/** @type {number} */ ratio) => `${Math.round((ratio - 1) * 100)} %`;
  return `The machine is shared: of the same operation of the provider that does nothing, the slowest run took ${percent(typical)} longer than the fastest in the typical case, and ${percent(worst)} in the worst. A ratio is worth no more than that.`;
}

/**
 * @param {Medians} table
 * @param {boolean} checkpoints
 * @param {number} latencyMs
 */
function section(table, checkpoints, latencyMs) {
  const sizes = table.sizes(checkpoints, latencyMs);
  const parts = sizes.map((size) => {
    const rows = Object.entries(variants).flatMap(([name, { title }]) => {
      const cells = operations.map((operation) =>
        cell(table, { variant: name, size, latencyMs, checkpoints, operation }),
      );
      if (cells.every((text) => text === "")) return [];
      const up = table.get({ variant: name, size, latencyMs, checkpoints, operation: "up" });
      const refresh = table.get({ variant: name, size, latencyMs, checkpoints, operation: "refresh" });
      const destroy = table.get({ variant: name, size, latencyMs, checkpoints, operation: "destroy" });
      const calls = [up, refresh, destroy].map((row) => row?.calls ?? "").join(" / ");
      return [
        `| ${title} | ${cells.join(" | ")} | ${calls} | ${kilobytes(up?.bytesSent)} | ${kilobytes(up?.stateBytes)} | ${up?.memoryMb || ""} |`,
      ];
    });
    return `### ${size} resources\n\n| | up | preview | refresh | destroy | calls: up / refresh / destroy | kB sent | kB of state | MB of memory |\n|---|---|---|---|---|---|---|---|---|\n${rows.join("\n")}\n`;
  });
  return `## ${latencyMs === 0 ? "A platform that answers at once" : `A platform that takes ${latencyMs} ms`}${checkpoints ? "" : ", without checkpoints"}\n\n${parts.join("\n")}`;
}

/** @param {Medians} table @param {Key} key */
function cell(table, key) {
  const row = table.get(key);
  if (!row) return "";
  const limit = variants[key.variant]?.limit;
  const against = limit && table.get({ ...key, variant: limit, latencyMs: 0 });
  return `${row.seconds.toFixed(1)} s${against ? ` (${(row.seconds / against.seconds).toFixed(2)}×)` : ""}`;
}

/** @param {number | undefined} bytes */
function kilobytes(bytes) {
  return bytes ? String(Math.round(bytes / 1000)) : "";
}

/**
 * @typedef {{ variant: string, size: number, latencyMs: number, checkpoints: boolean, operation: string }} Key
 * @typedef {{ seconds: number, memoryMb: number, calls: number, bytesSent: number, stateBytes: number }} Row
 */

/** The medians of all repeats of one measurement. */
export class Medians {
  /** @type {Map<string, import("../bench.mjs").Measurement[]>} */
  #rows = new Map();

  /** @param {import("../bench.mjs").Measurement[]} measurements */
  constructor(measurements) {
    this.measurements = measurements;
    for (const row of measurements) {
      const key = keyText(row);
      this.#rows.set(key, [...(this.#rows.get(key) ?? []), row]);
    }
  }

  /**
   * @param {Key} key
   * @returns {Row | undefined}
   */
  get(key) {
    const rows = this.#rows.get(keyText(key));
    if (!rows) return undefined;
    const median = (/** @type {keyof Row} */ field) => {
      const values = rows.map((row) => row[field]).sort((a, b) => a - b);
      return values[Math.floor(values.length / 2)] ?? 0;
    };
    return {
      seconds: median("seconds"),
      memoryMb: median("memoryMb"),
      calls: median("calls"),
      bytesSent: median("bytesSent"),
      stateBytes: median("stateBytes"),
    };
  }

  /**
   * Slowest run divided by fastest, for each case measured more than once, ascending.
   * @param {(row: import("../bench.mjs").Measurement) => boolean} which
   */
  spreads(which) {
    return [...this.#rows.values()]
      .filter(([first, second]) => first && second && which(first))
      .map((rows) => rows.map(({ seconds }) => seconds))
      .map((seconds) => Math.max(...seconds) / Math.min(...seconds))
      .sort((a, b) => a - b);
  }

  /** @param {boolean} checkpoints */
  latencies(checkpoints) {
    return distinct(this.measurements.filter((row) => row.checkpoints === checkpoints).map((row) => row.latencyMs));
  }

  /** @param {boolean} checkpoints @param {number} latencyMs @param {string} [variant] only this variant */
  sizes(checkpoints, latencyMs, variant) {
    return distinct(
      this.measurements
        .filter((row) => row.checkpoints === checkpoints && row.latencyMs === latencyMs)
        .filter((row) => variant === undefined || row.variant === variant)
        .map((row) => row.size),
    );
  }
}

/** @param {number[]} values */
function distinct(values) {
  return [...new Set(values)].sort((a, b) => a - b);
}

/** @param {Key} key */
function keyText({ variant, size, latencyMs, checkpoints, operation }) {
  return [variant, size, latencyMs, checkpoints, operation].join(" ");
}
