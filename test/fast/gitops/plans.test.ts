import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { driftIn } from "../../../cli/pipeline/drift";
import {
  type Bound,
  driftMisfits,
  misfits,
  openPlan,
  type Present,
  Refused,
  sealPlan,
} from "../../../cli/pipeline/plan";
import { planStore } from "../../../cli/pipeline/plan-store";
import { digestState, movedParts } from "../../../cli/pipeline/state";
import { onlyFileIn } from "../../../cli/pipeline/unzip";
import { withoutPlannedValues } from "../../../cli/pipeline/violation";
import { Forge, zipOf } from "../../harness/forge";

const urn = (name: string): string =>
  `urn:pulumi:dev::platform::pulumi-nodejs:dynamic/dataplatform:WhitelistedIp::${name}`;
const secret = (ciphertext: string) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  ciphertext,
});
const resource = (name: string, more: object = {}) => ({ urn: urn(name), modified: "2024-05-01T06:00:00Z", ...more });
const stateOf = (...resources: { urn: string }[]) => digestState({ deployment: { resources } });

const present: Present = {
  stack: "dev",
  commit: "c".repeat(40),
  tree: "a".repeat(40),
  versions: { "pulumi-dataplatform": "0.1.0", pulumi: "v3.259.0" },
  state: stateOf(resource("office")),
};
const bound = {
  ...present,
  drift: {},
  createdAt: "2024-05-01T06:00:00.000Z",
  validUntil: "2024-05-04T06:00:00.000Z",
} satisfies Omit<Bound, "planSha256">;
const key = "k".repeat(32);

function refusal(text: string, withKey: string | undefined): string {
  try {
    openPlan(text, withKey);
  } catch (error) {
    if (error instanceof Refused) return error.reasons.join("\n");
  }
  return "not refused";
}

describe("the seal", () => {
  test.each([key, undefined])("with the key %s, what was sealed comes out", (withKey) => {
    const opened = openPlan(sealPlan("the plan", bound, withKey), withKey);
    expect(opened).toMatchObject({ plan: "the plan", bound });
  });

  test.each([
    ["the stack", { stack: "prod" }],
    ["the tree", { tree: "b".repeat(40) }],
    ["the validity", { validUntil: "2034-05-04T06:00:00.000Z" }],
    ["the drift", { drift: { [urn("office")]: "gone" } }],
  ])("%s cannot be changed, and no message says what would fit", (_what, change) => {
    const sealed = JSON.parse(sealPlan("the plan", bound, key)) as { bound: object; signature: string };
    const changed = { ...sealed, bound: { ...sealed.bound, ...change } };
    const right = (JSON.parse(sealPlan("the plan", { ...bound, ...change }, key)) as { signature: string }).signature;
    const message = refusal(JSON.stringify(changed), key);
    expect(message).toContain("changed: the signature hmac-sha256:");
    expect(message).not.toContain(right.slice("hmac-sha256:".length, 24));
  });

  test("a key on one side only, another key, and other files are refused", () => {
    expect(refusal(sealPlan("p", bound, undefined), key)).toContain("unsigned: ");
    expect(refusal(sealPlan("p", bound, key), undefined)).toContain("PLAN_KEY is not set here");
    expect(refusal(sealPlan("p", bound, "x".repeat(32)), key)).toContain("has another PLAN_KEY");
    for (const text of ["", "{}", "[]", "null", '{"format":2}', sealPlan("p", bound, key).slice(0, 100)])
      expect(refusal(text, key)).toContain("not a plan that this pipeline has written");
  });
});

describe("what a plan is bound to", () => {
  const sealed: Bound = { ...bound, planSha256: "" };
  const now = new Date("2024-05-02T06:00:00Z");

  test("nothing has changed", () => {
    expect(misfits(sealed, present, now)).toEqual([]);
    // A merge commit, or a squashed one, of the same files.
    expect(misfits(sealed, { ...present, commit: "d".repeat(40) }, now)).toEqual([]);
  });

  test("all that differs is named at once, with both values", () => {
    const other: Present = {
      stack: "prod",
      commit: "d".repeat(40),
      tree: "e".repeat(40),
      versions: { "pulumi-dataplatform": "0.2.0", pulumi: "v3.259.0" },
      state: stateOf(resource("office", { modified: "2024-05-02T00:00:00Z" }), resource("home")),
    };
    expect(misfits(sealed, other, new Date("2024-05-04T06:00:00Z"))).toEqual([
      "foreign: the plan is for the stack dev, and this is prod",
      `foreign: the plan is for the files of commit ${present.commit} (tree ${present.tree}), and this is commit ${other.commit} (tree ${other.tree})`,
      "other version: the plan was made with pulumi-dataplatform 0.1.0, and this is 0.2.0",
      "too old: the plan is of 2024-05-01T06:00:00.000Z, valid until 2024-05-04T06:00:00.000Z, and it is 2024-05-04T06:00:00.000Z",
      `stale: the stack's state was ${present.state.digest.slice(0, 12)} at the preview, and is ${other.state.digest.slice(0, 12)}: WhitelistedIp home is new; WhitelistedIp office has changed`,
    ]);
  });

  test("drift that came, changed or went since the preview is a reason, and so is what cannot be read", () => {
    const property = (actual: unknown) => ({ property: "packages", declared: ["a"], actual });
    const report = (actual: unknown) => [
      { urn: urn("known"), status: "drifted", properties: [property(actual)] },
      { urn: urn("fine"), status: "as-declared" },
      { urn: urn("unseen"), status: "unverifiable" },
    ];
    const before: Bound = { ...sealed, drift: driftIn(report(["b"])).differing };
    expect(driftMisfits(before, driftIn(report(["b"])))).toEqual([]);
    expect(driftMisfits(before, driftIn(report(["c"])))).toEqual([
      'drifted: the platform has changed since the preview: WhitelistedIp known was drifted (packages: ["a"] → ["b"]), and is drifted (packages: ["a"] → ["c"])',
    ]);
    expect(driftMisfits(before, driftIn([{ urn: urn("gone"), status: "gone" }]))).toEqual([
      'drifted: the platform has changed since the preview: WhitelistedIp gone was as declared, and is gone; WhitelistedIp known was drifted (packages: ["a"] → ["b"]), and is as declared',
    ]);
    expect(driftMisfits(sealed, driftIn([{ urn: urn("it"), status: "error", reason: "403" }]))).toEqual([
      "not verifiable: whether these have drifted could not be read: WhitelistedIp it: 403",
    ]);
    const long = (end: string) => driftIn(report("x".repeat(500) + end));
    expect(driftMisfits({ ...sealed, drift: long("1").differing }, long("2"))).toHaveLength(1);
  });
});

describe("the digest of a state", () => {
  test("does not move by what a run without changes writes", () => {
    const before = stateOf(resource("a", { inputs: { p: secret("one"), q: 1 } }), resource("b"));
    const after = stateOf(
      resource("b", { sourcePosition: "project:///index.ts#1", stackTrace: [{}] }),
      resource("a", { inputs: { q: 1, p: secret("two") }, propertyDependencies: { p: [] } }),
    );
    expect(after).toEqual(before);
    expect(digestState({ deployment: null }).digest).toBe(digestState({}).digest);
  });

  test.each([
    ["an output", { deployment: { resources: [resource("a", { outputs: { x: 1 } })] } }, "WhitelistedIp a has changed"],
    ["a secret", { deployment: { resources: [resource("a", { modified: "later" })] } }, "WhitelistedIp a has changed"],
    [
      "a second with its URN",
      { deployment: { resources: [resource("a"), resource("a", { delete: true })] } },
      "WhitelistedIp a has changed",
    ],
    ["nothing left", { deployment: { resources: [] } }, "WhitelistedIp a is gone"],
    [
      "an interrupted run",
      { deployment: { resources: [resource("a")], pending_operations: [{ type: "creating" }] } },
      "pending operations is new",
    ],
    [
      "another passphrase",
      {
        deployment: { resources: [resource("a")], secrets_providers: { type: "passphrase", state: { salt: "v1:x" } } },
      },
      "encryption is new",
    ],
  ])("moves with %s", (_what, state, words) => {
    const [before, now] = [stateOf(resource("a")), digestState(state)];
    expect(now.digest).not.toBe(before.digest);
    expect(movedParts(before, now)).toEqual([words]);
  });
});

describe("the store", () => {
  let forge: Forge;
  beforeAll(async () => {
    forge = await Forge.start();
  });
  afterAll(() => forge.close());
  const tree = "a".repeat(40);

  test("GitHub: the newest artifact of the name; where it is downloaded from sees no token", async () => {
    const store = planStore(forge.variables("github", "apply"));
    expect(await store.find("dev", tree)).toBeUndefined();
    forge.upload(`plan-dev-${tree}`, "old");
    forge.upload(`plan-dev-${tree}`, "new");
    forge.upload(`plan-prod-${tree}`, "other");
    expect(await store.find("dev", tree)).toBe("new");
    expect(forge.downloads).toHaveLength(1);
    expect(forge.downloads[0]).not.toHaveProperty("authorization");
  });

  test("GitLab: a package of the project, with the job's token", async () => {
    const store = planStore(forge.variables("gitlab", "apply"));
    expect(await store.find("dev", tree)).toBeUndefined();
    await store.keep("dev", tree, "the plan");
    expect(await store.find("dev", tree)).toBe("the plan");
    expect(forge.calls.at(-1)).toBe(`GET /api/v4/projects/5/packages/generic/plan-dev/${tree}/plan.json`);
  });

  test("a refused token is an error, not a missing plan", async () => {
    const gitHub = planStore({ ...forge.variables("github", "apply"), GITHUB_TOKEN: "expired" });
    const gitLab = planStore({ ...forge.variables("gitlab", "preview"), CI_JOB_TOKEN: "expired" });
    await expect(gitHub.find("dev", tree)).rejects.toThrow(
      "could not be read: GET /repos/team/platform/actions/artifacts was answered with 401",
    );
    await expect(gitLab.keep("dev", tree, "plan")).rejects.toThrow(
      /could not be stored: PUT \S+ was answered with 401/,
    );
  });

  test("an archive is read, whatever is not one is an error", () => {
    const text = "ä plan\n".repeat(1000);
    expect(onlyFileIn(zipOf("dev.json", text))).toBe(text);
    expect(() => onlyFileIn(Buffer.from("<html>"))).toThrow("is not a zip archive");
  });
});

describe("the output of a run that departs from its plan", () => {
  const before = "Previewing update (dev):\n +  Stack dev create\n";
  const violation =
    "    error: resource urn:pulumi:dev::p::DataStore::store violates plan: properties changed: ~~key[{&{{-----BEGIN\ncanary-1\n-----END}}}!={&{{canary-2}}}], ++other[{canary-3}]\nDiagnostics:\n canary-4\n";

  test.each([1, 7, 1000])("shows no value, arriving %i characters at a time", (size) => {
    const filter = withoutPlannedValues();
    let shown = "";
    const text = before + violation;
    for (let at = 0; at < text.length; at += size) shown += filter(text.slice(at, at + size));
    expect(shown).toContain(before);
    expect(shown).toContain(
      "DataStore::store violates plan: properties changed: ~~key\n(The engine quotes the values here",
    );
    expect(shown).not.toContain("canary");
  });

  test("is otherwise complete", () => {
    const filter = withoutPlannedValues();
    expect(filter("one\ntw") + filter("o\nthree") + filter("\n")).toBe("one\ntwo\nthree\n");
  });
});
