import type { Emulator } from "../../../emulator";
import type { Program } from "../../harness/stack";
import { Random } from "./random";
import type { Driver, Failure } from "./small-engine";
import { ids, observe } from "./world";

const packages = ["polars", "dask", "pyarrow", "xgboost", "zstd", "requests"];
const sharedNote = `note ${ids.note(0)}`;

/** What one of two stacks declares in the places they share: its own addresses and packages, and the whole policy. */
function declare(random: Random, stack: number): Program {
  const addresses = Array.from({ length: 40 }, (_, host) => `10.${stack}.0.${host}`);
  const single = random.some(addresses.slice(0, 6));
  const svcUsers = random.some([101, 102, 103, 104]);
  const packagesOfStack = packages.filter((_, index) => index % 2 === stack);
  return {
    ...Object.fromEntries(single.map((ipCidr) => [ipCidr, { type: "WhitelistedIp", args: { ipCidr } }])),
    list: { type: "IpWhitelist", args: { addresses: random.some(addresses.slice(6)) } },
    packages: {
      type: "PackageSet",
      args: { envId: ids.environment(0), sourceType: "python_package", packages: random.some(packagesOfStack) },
    },
    policy: {
      type: "ObjectPolicy",
      args: {
        sourceType: "note",
        sourceId: String(ids.note(0)),
        policy: [{ access: stack === 0 ? "allow" : "deny", action: ["read"], condition: { svcUsers } }],
      },
    },
  };
}

/** The facts that a declaration implies, except the policy. */
function declared(program: Program): string[] {
  return Object.values(program).flatMap(({ type, args }) => {
    if (type === "WhitelistedIp") return [`whitelist ${args["ipCidr"]}`];
    if (type === "IpWhitelist") return (args["addresses"] as string[]).map((one) => `whitelist ${one}`);
    if (type === "PackageSet") return (args["packages"] as string[]).map((name) => `package ${args["envId"]} ${name}`);
    return [];
  });
}

function policyOf({ policy }: Program): string {
  return JSON.stringify(policy!.args["policy"]).replaceAll("svcUsers", "svc_users");
}

/** Under faults, an `up` may fail with a clear error; retry it. */
async function upWithRetries(driver: Driver, program: Program): Promise<Failure[]> {
  let failures: Failure[] = [];
  for (let attempt = 0; attempt < 4; attempt++) {
    failures = await driver.up(program);
    if (failures.length === 0) break;
  }
  return failures;
}

interface SharedReport {
  readonly seed: number;
  readonly rounds: number;
  operations: number;
  /** Declared facts that are missing on the platform, and undeclared ones that exist. */
  readonly missing: string[];
  readonly surplus: string[];
  readonly failures: Failure[];
  /** Policies that were neither stack's. */
  readonly strangePolicies: string[];
}

/** Two stacks in the same places, updated concurrently; finally the first is destroyed. */
export async function twoStacks(
  [one, two]: readonly [Driver, Driver],
  emulator: Emulator,
  { seed, rounds }: { readonly seed: number; readonly rounds: number },
): Promise<SharedReport> {
  const random = new Random(seed);
  const first = new Set(observe(emulator).keys());
  const report: SharedReport = {
    ...{ seed, rounds, operations: 0, missing: [], surplus: [], failures: [], strangePolicies: [] },
  };
  emulator.clearRequests();
  const round = async (what: string, ...programs: [Program, Program]): Promise<void> => {
    const failures = await Promise.all([upWithRetries(one, programs[0]), upWithRetries(two, programs[1])]);
    report.failures.push(...failures.flat());
    const now = observe(emulator);
    const wanted = new Set(programs.flatMap(declared));
    report.missing.push(...[...wanted].filter((fact) => !now.has(fact)).map((fact) => `${what}: ${fact}`));
    const extra = [...now.keys()].filter((fact) => !wanted.has(fact) && !first.has(fact));
    report.surplus.push(...extra.map((fact) => `${what}: ${fact}`));
    const theirs = programs.filter(({ policy }) => policy).map(policyOf);
    const policy = now.get(sharedNote)!;
    if (!theirs.includes(policy)) report.strangePolicies.push(`${what}: ${policy}`);
  };
  let programs: [Program, Program] = [{}, {}];
  for (let number = 1; number <= rounds; number++) {
    programs = [declare(random, 0), declare(random, 1)];
    await round(`round ${number}`, ...programs);
  }
  // Then the second stack's policy is in force, and the first, which set its own before, must not restore an old one.
  programs = [programs[0], declare(random, 1)];
  await round("the second alone changes", ...programs);
  await round("the first is destroyed", {}, programs[1]);
  report.operations = emulator.requests().total;
  return report;
}
