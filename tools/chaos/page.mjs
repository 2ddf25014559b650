/** The page of results, made from what the runs have kept. */

/**
 * @typedef {{ fact: string, expected: string, observed: string }} Mismatch
 * @typedef {{ seed: number, steps: number, resources: number, operations: number, faults: number, ups: number,
 *   failures: number, announced: number, repeated: number, differences: Mismatch[], stuck: unknown[] }} RandomRun
 * @typedef {{ type: string, deed: string, operation: string, afterUp: Mismatch[], afterRemoval: Mismatch[] }} Kill
 * @typedef {{ calls: number, missed: string[], reports: Kill[] }} Kills
 * @typedef {{ fault: string, failures: number, dropped: string[] }} Refresh
 * @typedef {{ rounds: number, operations: number, missing: string[], surplus: string[], failures: unknown[] }} Shared
 * @typedef {{ "random-engine"?: RandomRun[], "random-in-process"?: RandomRun[], "kill-provider"?: Kills,
 *   "kill-CLI"?: Kills, refresh?: Refresh[], "two-stacks"?: Shared, fuzz?: Record<string, number>,
 *   "lives-readings"?: { switches: number, readings: number, lives: number, refused: number },
 *   "lives-combinations"?: { platforms: number, lives: number }, "lives-faults"?: { faults: number, cases: number } }} Results
 */

/** What a run that is killed between the platform's work and our record of it leaves, and how the user gets to know. */
const afterKill = {
  WhitelistedIp: [
    "Exact with `adopt: true`",
    "Without it, the next `up` fails: the address is whitelisted already. The error says how to take the entry over.",
  ],
  IpWhitelist: [
    "Exact after `up`; destroy leaves what the killed run had added",
    "The next `up` warns which addresses were listed already and will stay. Remove them by hand after destroy.",
  ],
  Account: [
    "Not exact: the next `up` makes a second account",
    "The API cannot list accounts or mark one. The killed run's error, or the engine's warning about a pending creation, names the resource, and so does `dataplatform doctor`: look in the user interface before the next `up`.",
  ],
  DataStore: ["Not exact: the next `up` makes a second data store", "As for Account."],
  GroupRoleAssignment: ["Exact", ""],
  ObjectPolicy: [
    "Exact after `up`; the policy found before is forgotten",
    "The next `up` warns that the object has this policy already, so that it counts as the one found.",
  ],
  FolderPolicy: ["Exact", ""],
  PackageSet: ["Exact", ""],
  PartitionSensor: ["Exact", ""],
  EnabledUser: ["Exact", ""],
  Folder: ["Exact", ""],
  Command: [
    "Not exact: the next `up` submits the command again",
    "The tag by which a lost answer is looked up is in the state's pending operation: `dataplatform doctor` looks the command up and prints the command that imports it, before the next `up`.",
  ],
};

const sum = (/** @type {number[]} */ numbers) => numbers.reduce((total, number) => total + number, 0);
const table = (/** @type {string[]} */ head, /** @type {(string | number)[][]} */ rows) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** @param {Results} results */
export function reliabilityPage(results) {
  return `${[intro, lives(results), randomRuns(results), kills(results), refreshes(results), shared(results), fuzz(results), late].join("\n\n")}\n`;
}

const intro = `# Reliability: nothing lost, nothing twice

Made by \`npm run chaos -- --write\` from its own runs; the raw results are in \`test/chaos/results/\`. A short form is part of \`npm test\`. Every run is seeded: \`npm run chaos -- --seed N --only NAME\` repeats one.

The lives run against a second platform (\`test/second-platform\` in the repository), written from the specification by somebody who had read neither the emulator nor the provider. Everything else runs against the emulator, which does what the specification says and fails in every way that a test asks for. Where the two disagree, [open points](open-points.md) says whether the specification is silent or one of them is wrong.

The lives, the random programs without the engine and the refreshes are of the code of today. The long runs on the engine (random programs, kills, two stacks) and the fuzzing are those of version 0.1.0; their short forms run with every \`npm test\`.`;

/** @param {Results} results */
function lives(results) {
  const readings = results["lives-readings"];
  const many = results["lives-combinations"];
  const faulty = results["lives-faults"];
  const count = (/** @type {number | undefined} */ number) => (number ?? 0).toLocaleString("en");
  return `## A platform that we did not write

Every resource is made, refreshed, changed, imported and removed, and every function is called, on a platform that reads the specification in another way wherever it is silent: how errors look, where tags appear, how addresses are spelled back, what an answer that is "not shown" is, and so on. Nothing may be lost, made twice, shown as drift or left behind.

${table(
  ["what", "platforms", "lives or cases", "result"],
  [
    [
      `one of ${count(readings?.switches)} switches set otherwise, each value of each`,
      count(readings?.readings),
      count(readings?.lives),
      `holds; under ${count(readings?.refused)} readings the platform itself makes something impossible, which is a clear error and a state that tells the truth (the table with the reasons is \`test/lives/expected.ts\`)`,
    ],
    ["many switches at once, from a seed", count(many?.platforms), count(many?.lives), "holds"],
    [
      `${count(faulty?.faults)} kinds of fault at create, change and destroy, on the writes, on the reads around them, and on everything`,
      1,
      count(faulty?.cases),
      "an honest error or success; the next run ends with exactly one of everything; accounts, data stores, commands and addresses are never sent twice",
    ],
  ],
)}

What these lives do not use is not proven by them: catalogs and gateways of data stores, most options of S3DistCp, roles and groups by unusual names.`;
}

/** @param {Results} results */
function randomRuns(results) {
  const rows = /** @type {const} */ (["random-engine", "random-in-process"]).flatMap((name) => {
    const runs = results[name] ?? [];
    if (runs.length === 0) return [];
    const of = (/** @type {(run: RandomRun) => number} */ pick) => sum(runs.map(pick)).toLocaleString("en");
    return [
      [
        name === "random-engine" ? "Pulumi's engine" : "without the engine",
        runs.map(({ seed }) => seed).join(", "),
        of(({ steps }) => steps),
        of(({ operations }) => operations),
        of(({ faults }) => faults),
        of(({ ups }) => ups),
        of(({ failures }) => failures),
        of(({ announced }) => announced),
        of(({ repeated }) => repeated),
        of(({ differences, stuck }) => differences.length + stuck.length),
      ],
    ];
  });
  const head = ["run on", "seeds", "steps", "API operations", "faults", "runs of `up`", "errors shown"];
  return `## Random programs under faults

A model of the wanted environment, all twelve resource types, changes at random in steps: resources come, change, go. About 5 % of the calls suffer a fault: 429, 503, 500 before and after the work, connections cut before and after the work, half answers, slow answers, HTML pages with 200 and 502. After each step the platform must show what the model says, nothing more and nothing less; again after a fault-free \`up\`; and again when everything is removed under faults. An \`up\` that fails is run again, as its error advises.

"Without the engine" drives the same provider code in one process, in the engine's order; it is quick, so that more can be tried.

${table([...head, "outcome unknown", "made twice", "**differences**"], rows)}

"Outcome unknown" counts errors about an account, a data store or a command that say so, because the answer was lost and the API cannot tell; "made twice" counts those of them that had been made, so that the next \`up\` made a second one. Nothing is made twice without such an error. "Errors shown" are what was left after the provider's own repetitions.`;
}

/** @param {Results} results */
function kills(results) {
  const all = [...(results["kill-provider"]?.reports ?? []), ...(results["kill-CLI"]?.reports ?? [])];
  const rows = Object.entries(afterKill).map(([type, [word = "", told = ""]]) => {
    const mine = all.filter((kill) => kill.type === type);
    const inexact = mine.filter(({ afterUp }) => afterUp.length > 0).length;
    const left = mine.filter(({ afterRemoval }) => afterRemoval.length > 0).length;
    return [type, mine.length, mine.length - inexact, mine.length - left, word, told];
  });
  const counts = /** @type {const} */ (["kill-provider", "kill-CLI"]).flatMap((name) => {
    const found = results[name];
    if (!found) return [];
    const missed = found.missed.length > 0 ? ` (not met again: ${found.missed.join(", ")})` : "";
    return [`${found.reports.length} of ${found.calls} calls with the ${name.slice(5)} killed${missed}`];
  });
  return `## Killed at every call

One \`up\` creates, changes and removes resources of every type. It is run again and again from the same point, and each time a process is killed (SIGKILL) at another call, after the platform has carried the call out and before anybody hears the answer: ${counts.join("; ") || "no run yet"}. After a killed CLI, \`pulumi cancel\` frees the lock on the state; and where Pulumi's file backend was killed while it wrote its own file and left it empty (\`failed to load checkpoint: EOF\`, seen twice in about 200 kills), the \`.bak\` beside it is taken. Then \`up\` runs until it succeeds, and the platform is compared with the model; then everything is removed, and it is compared again.

${table(["type", "kills", "exact after the next `up`", "exact after removal", "what can be", "how the user is told"], rows)}

Why not better: between the platform's work and the record of it in the state there is always a moment, and what falls into it can be found again only if the API lets one look. Names of data stores, accounts and commands may repeat, so finding one of the same name proves nothing.`;
}

/** @param {Results} results */
function refreshes({ refresh = [] }) {
  const rows = refresh.map(({ fault, failures, dropped }) => [
    `\`${fault.replaceAll("|", "\\|")}\``,
    failures > 0 ? "an error" : "kept, with or without a warning",
    dropped.join(", ") || "nothing",
  ]);
  return `## Refresh under faults

Every call of \`pulumi refresh\` is answered badly, on a stack with one resource of every type. Only the platform's clear word drops a resource: a list that does not hold it, or a 404 in the form of the platform's own errors at an address where the platform answers. The engine stops at the first error, so the same is tried with each readable type alone, without the engine, in \`npm test\`.

${table(["every answer is", "the refresh is", "dropped"], rows)}`;
}

/** @param {Results} results */
function shared(results) {
  const report = results["two-stacks"];
  const counted = report
    ? `${report.rounds + 2} rounds on the engine, ${report.operations} operations: ${report.missing.length} declared entries missing, ${report.surplus.length} entries too many.`
    : "";
  return `## Two stacks in the same places

Two stacks, updated at the same time, with addresses of their own in one whitelist (\`WhitelistedIp\` and \`IpWhitelist\`), packages of their own in one environment, and both with the policy of one object. ${counted}

- An entry or a package that only one stack declares is never touched by the other. One that both declare belongs to the stack that added it: when that stack removes it, it is gone, the other notices at its next refresh and adds it again. The API knows no owners.
- \`IpWhitelist\` with \`exclusive: true\` removes what others declare. That is its purpose; use it in one stack only.
- An object has one policy, which is written as a whole, and the API has no conditional write. Two stacks that declare it overwrite each other, the last one wins, and the other sees the difference at its next refresh. Destroy puts the old policy back only if the policy in force is its own: what another has set since is left, with a warning.`;
}

/** @param {Results} results */
function fuzz({ fuzz: counts = {} }) {
  const all = sum(Object.values(counts));
  return `## Answers of any shape, names of any kind

- Every answer that a resource reads was spoiled ${all > 0 ? `${all.toLocaleString("en")} times in all ` : ""}(fields missing, added, of other types, numbers beyond all bounds, nesting of 20,000 levels, cut anywhere): an error that names the operation, or no harm at all. Fields that nobody knows do no harm. Answers of 50 MB end at 32 MiB, and memory stays bounded.
- Ids, names and locations with slashes, dots, percent signs, line breaks and characters of all kinds: no request leaves the path of its operation.`;
}

const late = `## What remains

A request that was given up after its time-out (\`dataplatform:requestTimeoutSeconds\`), and that the platform carries out minutes later, after another \`up\` has changed the same thing, wins: the API has no conditional writes. A command is never submitted again after a time-out; the error says by which tag to look for it.`;
