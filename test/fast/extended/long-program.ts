import { startEmulator } from "../../../emulator";
import { Client } from "../../../provider/api/client";
import { readSettings } from "../../../provider/api/settings";
import { FunctionRun } from "../../../provider/core/function-run";
import { functionNamed } from "../../../provider/functions";
import type { Program } from "../../harness/stack";
import { GoBetween } from "../../sweep/chaos/go-between";
import { sample } from "../../sweep/chaos/sample";
import { SmallEngine } from "../../sweep/chaos/small-engine";
import { token, world } from "../../sweep/chaos/world";

const calls: readonly (readonly [name: string, inputs: Record<string, unknown>])[] = [
  ["getAccount", {}],
  ["getUsers", {}],
  ["getPendingUsers", {}],
  ["getUserEmails", {}],
  ["getWhitelistedIps", {}],
  ["getHiveTables", { describe: true }],
  ["getCommandHistory", { limit: 3 }],
  ["getObjectPolicy", { sourceType: "note", sourceId: "50000" }],
  ["checkPartition", { schema: "default", table: "ticks", columns: [{ column: "dt", values: ["2024-01-01"] }] }],
];

/** The types of the recording: those of 0.1.0. */
const { ObjectGrant: _, GroupRoles: __, ...first } = sample;

/** The same resources, each with a change: most are updated or replaced. */
const changed: Program = {
  ...first,
  WhitelistedIp: { type: "WhitelistedIp", args: { ipCidr: "203.0.113.8" } },
  IpWhitelist: { type: "IpWhitelist", args: { addresses: ["198.51.100.1", "198.51.100.3"] } },
  Account: { type: "Account", args: { name: "sample", storageAccessKey: "another-key" } },
  DataStore: { type: "DataStore", args: { ...sample["DataStore"]!.args, dbPasswd: "another" } },
  ObjectPolicy: { type: "ObjectPolicy", args: { ...sample["ObjectPolicy"]!.args, policy: [] } },
  FolderPolicy: { type: "FolderPolicy", args: { ...sample["FolderPolicy"]!.args, onDestroy: "clear" } },
  PackageSet: { type: "PackageSet", args: { ...sample["PackageSet"]!.args, packages: ["dask==2.1", "ray"] } },
  Folder: { type: "Folder", args: { ...sample["Folder"]!.args, name: "renamed again" } },
  Command: { type: "Command", args: { ...sample["Command"]!.args, triggers: ["1"], wait: { intervalSeconds: 1 } } },
};

/** The requests of a program with every resource and function, from nothing to destroyed, one after the other. */
export async function requestsOfLongProgram({ extended }: { readonly extended: boolean }): Promise<string[]> {
  const emulator = await startEmulator({ seed: world(2), clock: "manual", waitSeconds: 0, runSeconds: 0, extended });
  const between = await GoBetween.start(emulator.url);
  const requests: string[] = [];
  between.reset(({ method, url, body, text }) => {
    requests.push(withoutChance([method, url, body].join(" ").trimEnd()));
    return text;
  });
  const engine = new SmallEngine({ baseUrl: between.url, token, parallel: 1 });
  try {
    const steps = [first, "refresh", changed, "refresh", {}] as const;
    for (const step of steps) {
      const failures = await (step === "refresh" ? engine.refresh() : engine.up(step));
      if (failures.length > 0) throw new Error(failures.map(({ name, message }) => `${name}: ${message}`).join("\n"));
    }
    await callFunctions(between.url);
    return inOrder(requests);
  } finally {
    await engine.close();
    await between.stop();
    await emulator.close();
  }
}

async function callFunctions(baseUrl: string): Promise<void> {
  const settings = readSettings((name) => (name === "baseUrl" ? baseUrl : undefined), {
    DATAPLATFORM_API_TOKEN: token,
  });
  const client = new Client(settings);
  const host = { client: () => client, log: { info() {}, warn() {} } };
  for (const [name, inputs] of calls) await new FunctionRun(functionNamed(name)!, host).run(inputs, { preview: false });
  await client.close();
}

/** Tags of submissions are random, and the history is asked for by time. */
function withoutChance(request: string): string {
  return request
    .replace(/pulumi-dataplatform:[0-9a-f-]+/g, "pulumi-dataplatform:TAG")
    .replace(/\d{4}-\d\d-\d\dT\d\d%3A\d\d%3A\d\dZ/g, "TIME");
}

/** Addresses are added at the same time, in any order: each stretch of adds is sorted. */
function inOrder(requests: readonly string[]): string[] {
  const isAdd = (request: string | undefined): boolean => request?.startsWith("POST /api/v1.2/whitelist_ip") ?? false;
  const stretches: string[][] = [];
  for (const [index, request] of requests.entries())
    if (isAdd(request) && isAdd(requests[index - 1])) stretches.at(-1)!.push(request);
    else stretches.push([request]);
  return stretches.flatMap((stretch) => stretch.sort());
}
