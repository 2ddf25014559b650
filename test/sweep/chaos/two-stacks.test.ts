import { expect, test } from "vitest";
import { ownEmulator } from "../../harness/emulators";
import { forTest } from "../../harness/shared";
import type { Program } from "../../harness/stack";
import { claimsOf } from "./claims";
import { Random } from "./random";
import { type Failure, SmallEngine } from "./small-engine";
import { ids, observe, token, world } from "./world";

/** What one of two stacks declares in the places they share: its own addresses and packages, and the whole policy. */
function declare(random: Random, stack: number): Program {
  const addresses = Array.from({ length: 40 }, (_, host) => `10.${stack}.0.${host}`);
  const packages = [
    ["polars", "pyarrow", "zstd"],
    ["dask", "xgboost", "requests"],
  ][stack]!;
  const condition = { svcUsers: random.some([101, 102, 103, 104]) };
  const policy = [{ access: stack === 0 ? "allow" : "deny", action: ["read"], condition }];
  const place = { envId: ids.environment(0), sourceType: "python_package" };
  return {
    ...Object.fromEntries(
      random.some(addresses.slice(0, 6)).map((ipCidr) => [ipCidr, { type: "WhitelistedIp", args: { ipCidr } }]),
    ),
    list: { type: "IpWhitelist", args: { addresses: random.some(addresses.slice(6)) } },
    packages: { type: "PackageSet", args: { ...place, packages: random.some(packages) } },
    policy: { type: "ObjectPolicy", args: { sourceType: "note", sourceId: String(ids.note(0)), policy } },
  };
}

/** Under faults, an `up` may fail with a clear error; it is run again. */
async function upUntilDone(engine: SmallEngine, program: Program): Promise<Failure[]> {
  for (let attempt = 1; ; attempt++) {
    const failures = await engine.up(program);
    if (failures.length === 0 || attempt === 4) return failures;
  }
}

/** Together hitting about one call in twenty. */
const faults = [
  ...([{ kind: "429", retryAfter: 0 }, { kind: "503", body: "" }, { kind: "500" }] as const),
  ...([{ kind: "500", work: "do" }, { kind: "reset-before" }, { kind: "reset-after" }] as const),
  ...([{ kind: "html", status: 200 }, { kind: "html", status: 502, work: "do" }, { kind: "truncated" }] as const),
].map((rule) => ({ ...rule, probability: 0.005 }));

test.each([
  ["under faults", faults],
  ["without faults", []],
])("two stacks in the same places, updated at once, keep what each declares: %s", async (_, rules) => {
  const emulator = await ownEmulator({ seed: world(2) });
  emulator.setFaults({ seed: 5, rules });
  const random = new Random(5);
  const engines = [0, 1].map(() => forTest(new SmallEngine({ baseUrl: emulator.url, token })));
  const found = [...observe(emulator).keys()];
  const expectRun = async (...programs: readonly Program[]): Promise<void> => {
    const failures = await Promise.all(engines.map((engine, stack) => upUntilDone(engine, programs[stack]!)));
    expect(failures.flat()).toEqual([]);
    const now = observe(emulator);
    const all = programs.flatMap((program) => Object.entries(program));
    const declared = all.flatMap(([name, spec]) => claimsOf(name, spec, { facts: now, extended: false }));
    expect(new Set(now.keys())).toEqual(new Set([...found, ...declared.map(({ fact }) => fact)]));
    const policies = all.flatMap(([, { args }]) => (args["policy"] ? [JSON.stringify(args["policy"])] : []));
    expect(policies).toContain(now.get(`note ${ids.note(0)}`)!.replaceAll("svc_users", "svcUsers"));
  };
  let first: Program = {};
  for (let round = 1; round <= 6; round++) {
    first = declare(random, 0);
    await expectRun(first, declare(random, 1));
  }
  // Then the second stack's policy is in force, and the first, which set its own before, must not restore an old one.
  const second = declare(random, 1);
  await expectRun(first, second);
  await expectRun({}, second);
});
