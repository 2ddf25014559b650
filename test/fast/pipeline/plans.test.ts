import { createPublicKey } from "node:crypto";
import { describe, expect, test } from "vitest";
import { judgedProof, provenTree, updateMessage } from "../../../cli/pipeline/deployed";
import { driftIn } from "../../../cli/pipeline/drift";
import { fingerprint, newKeys } from "../../../cli/pipeline/keys";
import * as plan from "../../../cli/pipeline/plan";
import { Refused } from "../../../cli/pipeline/refused";
import { digestState, movedParts } from "../../../cli/pipeline/state";
import { withoutPlannedValues } from "../../../cli/pipeline/violation";
import { encryptedSecret } from "../../harness/secret-values";
import { urn } from "./planned";

const { claimedId, openPlan, planId, sealPlan } = plan;

const resource = (name: string, more: object = {}) => ({ urn: urn(name), modified: "2024-05-01T06:00:00Z", ...more });
const stateOf = (...resources: { urn: string }[]) => digestState({ deployment: { resources } });

const present: plan.Present = {
  stack: "dev",
  commit: "c".repeat(40),
  tree: "a".repeat(40),
  versions: { "pulumi-dataplatform": "0.1.0", pulumi: "v3.259.0" },
  installed: "1".repeat(64),
};
const bound = {
  ...present,
  kind: "change",
  targets: [],
  base: "b".repeat(40),
  state: stateOf(resource("office")),
  drift: {},
  rules: { pack: "pulumi-dataplatform 0.1.0", base: "none", head: "none" },
  deployed: null,
  approved: [],
  judged: "sha256:0",
  platform: "https://platform.example.com",
  createdAt: "2024-05-01T06:00:00.000Z",
} satisfies Omit<plan.Bound, "planSha256">;
const keys = newKeys();

function refusal(text: string, verify: string | undefined): string {
  try {
    openPlan(text, verify);
  } catch (error) {
    if (error instanceof Refused) return error.reasons.join("\n");
  }
  return "not refused";
}

describe("the seal", () => {
  test("what was sealed comes out, with and without keys", () => {
    for (const { signing, verify } of [keys, { signing: undefined, verify: undefined }]) {
      const text = sealPlan("the plan", bound, signing);
      const opened = openPlan(text, verify);
      expect(opened).toMatchObject({ plan: "the plan", bound });
      expect(opened.signer).toBe(signing && fingerprint(signing));
      expect(planId(opened.bound)).toBe(claimedId(text));
      expect(planId(opened.bound)).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  test.each([
    ["the stack", { stack: "prod" }],
    ["the tree", { tree: "b".repeat(40) }],
    ["the date", { createdAt: "2034-05-04T06:00:00.000Z" }],
    ["the drift", { drift: { [urn("office")]: "gone" } }],
    ["the rules", { rules: { pack: "mine", base: "none", head: "none" } }],
    ["the targets of a repair", { kind: "repair", targets: [urn("other")] } as const],
  ])("%s cannot be changed, nor can the plan, and the id changes with it", (_what, change) => {
    const text = sealPlan("the plan", bound, keys.signing);
    const sealed = JSON.parse(text) as { bound: object };
    const changed = JSON.stringify({ ...sealed, bound: { ...sealed.bound, ...change } });
    expect(refusal(changed, keys.verify)).toContain("changed: the signature ed25519:");
    expect(claimedId(changed)).not.toBe(claimedId(text));
    expect(refusal(JSON.stringify({ ...sealed, plan: "a wider plan" }), keys.verify)).toContain("was signed");
  });

  test("a rotated key does not look like tampering, and both are accepted for a time", () => {
    const next = newKeys();
    const text = sealPlan("p", bound, next.signing);
    const [old, now] = [fingerprint(keys.signing), fingerprint(next.signing)];
    const rotated = ` by the key ${now}, and DATAPLATFORM_VERIFY_KEY is ${old}; if the key was rotated, `;
    expect(refusal(text, keys.verify)).toMatch(RegExp(`^other key: .*${rotated}`));
    const pem = createPublicKey({ key: Buffer.from(keys.verify, "base64"), format: "der", type: "spki" });
    const asText = pem.export({ type: "spki", format: "pem" });
    const [one, two] = [keys.verify, next.verify];
    for (const both of [`${one},${two}`, `${two}\n${one}\n`, `${asText}${two}`]) {
      expect(openPlan(text, both).signer).toBe(now);
      expect(openPlan(sealPlan("p", bound, keys.signing), both).signer).toBe(old);
    }
  });

  test("whoever names our key without having it is found out", () => {
    const naming = (signing: string, name: string) =>
      refusal(sealPlan("p", bound, signing).replace(/ed25519:\w+:/, `ed25519:${name}:`), keys.verify);
    expect(naming(newKeys().signing, fingerprint(keys.signing))).toContain("changed: the signature");
    expect(naming(keys.signing, "<b>")).toContain("changed: the signature");
  });

  test("a key on one side only, and other files are refused", () => {
    expect(refusal(sealPlan("p", bound, undefined), keys.verify)).toContain("unsigned: ");
    expect(refusal(sealPlan("p", bound, keys.signing), undefined)).toContain("DATAPLATFORM_VERIFY_KEY is not set here");
    const text = sealPlan("p", bound, keys.signing);
    for (const other of ["", "{}", "[]", "null", '{"format":1}', text.slice(0, 100)])
      expect(refusal(other, keys.verify)).toContain("not a plan that this pipeline has written");
  });

  test("who verifies cannot sign, and a private key does not pass for a public one", () => {
    expect(() => sealPlan("p", bound, keys.verify)).toThrow("is not an Ed25519 private key");
    expect(() => openPlan(sealPlan("p", bound, keys.signing), keys.signing)).toThrow("is not an Ed25519 public key");
    expect(() => sealPlan("p", bound, "canary")).toThrow(/^(?!.*canary)/);
  });
});

describe("what a plan is bound to", () => {
  const { ageMisfits, deploymentMisfits, driftMisfits, misfits, stateMisfits } = plan;
  const sealed: plan.Bound = { ...bound, planSha256: "" };

  test("nothing has changed, also by a merge commit, or a squashed one, of the same files", () => {
    expect(misfits(sealed, { ...present, commit: "d".repeat(40) })).toEqual([]);
  });

  test("all that differs is named at once, with both values", () => {
    const other: plan.Present = {
      ...{ stack: "prod", commit: "d".repeat(40), tree: "e".repeat(40), installed: "2".repeat(64) },
      versions: { "pulumi-dataplatform": "0.2.0", pulumi: "v3.259.0" },
    };
    expect(misfits(sealed, other)).toEqual([
      "foreign: the plan is for the stack dev, and this is prod",
      `foreign: the plan is for the files of commit ${present.commit} (tree ${present.tree}), and this is commit ${other.commit} (tree ${other.tree})`,
      "other version: the plan was made with pulumi-dataplatform 0.1.0, and this is 0.2.0",
      "other files: the digest of the installed packages was 111111111111 at the preview, and is 222222222222",
    ]);
    const state = stateOf(resource("office", { modified: "2024-05-02T00:00:00Z" }), resource("home"));
    expect(stateMisfits(sealed, state)).toEqual([
      `stale: the stack's state was ${bound.state.digest.slice(0, 12)} when the plan was sealed, and is ${state.digest.slice(0, 12)}: WhitelistedIp home is new; WhitelistedIp office has changed`,
    ]);
  });

  test.each([
    ["2024-05-01T06:00:00.000Z", "2024-05-02T06:00:00Z", []],
    ["2024-05-01T06:00:00.000Z", "2024-05-04T06:00:00Z", [expect.stringMatching(/^too old: .* may be 72 h old/)]],
    ["tomorrow", "2024-05-02T06:00:00Z", ["not verifiable: the date of the plan cannot be read"]],
    ["", "2024-05-02T06:00:00Z", ["not verifiable: the date of the plan cannot be read"]],
    ["2034-05-01T06:00:00.000Z", "2024-05-02T06:00:00Z", [expect.stringContaining("which is in the future")]],
  ])("a plan of %s at %s, by the clock of whoever applies it", (createdAt, now, reasons) => {
    expect(ageMisfits({ ...sealed, createdAt }, 72, new Date(now))).toEqual(reasons);
  });

  test("another deployment since, with rules that the plan was not compared with; an attempt of its own is none", () => {
    const [before, since] = ["1".repeat(40), "2".repeat(40)];
    expect(deploymentMisfits({ ...sealed, deployed: before }, since)).toEqual([
      "stale: the rules and settings of the plan were compared with the last deployment (tree 111111111111), and there was another since (tree 222222222222)",
    ]);
    expect(deploymentMisfits(sealed, since)).toEqual([expect.stringContaining("(none)")]);
    for (const now of [before, sealed.tree])
      expect(deploymentMisfits({ ...sealed, deployed: before }, now)).toEqual([]);
    expect(deploymentMisfits(sealed, undefined)).toEqual([]);
  });

  test("drift that came, changed or went since the preview is a reason, and so is what cannot be read", () => {
    const property = (actual: unknown) => ({ property: "packages", declared: ["a"], actual });
    const report = (actual: unknown) => [
      { urn: urn("known"), status: "drifted", properties: [property(actual)] },
      { urn: urn("fine"), status: "as-declared" },
      { urn: urn("unseen"), status: "unverifiable" },
    ];
    const before: plan.Bound = { ...sealed, drift: driftIn(report(["b"])).differing };
    const known = 'WhitelistedIp known was drifted (packages: declared ["a"], on the platform ["b"]), and is';
    const since = "drifted: the platform has changed since the preview:";
    expect(driftMisfits(before, driftIn(report(["b"])))).toEqual([]);
    expect(driftMisfits(before, driftIn(report(["c"])))).toEqual([
      `${since} ${known} drifted (packages: declared ["a"], on the platform ["c"])`,
    ]);
    expect(driftMisfits(before, driftIn([{ urn: urn("gone"), status: "gone" }]))).toEqual([
      `${since} WhitelistedIp gone was as declared, and is gone; ${known} as declared`,
    ]);
    const unread = "not verifiable: whether these have drifted could not be read: WhitelistedIp it: 403";
    const refused = [{ urn: urn("it"), status: "error", reason: "403" }];
    expect(driftMisfits(sealed, driftIn(refused))).toEqual([unread]);
    const reason = "could not list: the platform rejected the token (401)";
    const rejected = driftIn([{ urn: urn("it"), status: "error", reason }]);
    expect(driftMisfits(before, rejected), "the cause, and nothing that follows from it").toEqual([
      "not verifiable: the platform rejected the token (401): give this job a valid one",
    ]);
    const inOurs = { ...sealed, account: { id: "1001", name: "Analytics" } };
    expect(driftMisfits(inOurs, { ...driftIn([]), account: { id: "1001" } })).toEqual([]);
    expect(driftMisfits(inOurs, { ...driftIn([]), account: { id: "1002" } })).toEqual([
      "other account: the plan was sealed for account 1001 (Analytics), and the token of this job belongs to account 1002; give it one of account 1001",
    ]);
    const long = (end: string) => driftIn(report("x".repeat(500) + end));
    expect(driftMisfits({ ...sealed, drift: long("1").differing }, long("2"))).toHaveLength(1);
  });
});

describe("the digest of a state", () => {
  test("does not move by what a run without changes writes", () => {
    const before = stateOf(resource("a", { inputs: { p: encryptedSecret("one"), q: 1 } }), resource("b"));
    const after = stateOf(
      resource("b", { sourcePosition: "project:///index.ts#1", stackTrace: [{}] }),
      resource("a", { inputs: { q: 1, p: encryptedSecret("one") }, propertyDependencies: { p: [] } }),
    );
    expect(after).toEqual(before);
    expect(digestState({ deployment: null }).digest).toBe(digestState({}).digest);
    // Who can write the state chooses both versions: no part may be short enough for two that are alike.
    for (const part of Object.values(stateOf(resource("a")).parts)) expect(part).toMatch(/^[0-9a-f]{64}$/);
  });

  const one = resource("a", { inputs: { p: encryptedSecret("one") } });
  const passphrase = { type: "passphrase", state: { salt: "v1:x" } };

  test.each([
    ["an output", { resources: [resource("a", { outputs: { x: 1 } })] }, "WhitelistedIp a has changed"],
    [
      "an edited value",
      { resources: [{ ...one, inputs: { p: encryptedSecret("two") } }] },
      "WhitelistedIp a has changed",
    ],
    ["a secret", { resources: [resource("a", { modified: "later" })] }, "WhitelistedIp a has changed"],
    ["a second with its URN", { resources: [one, resource("a", { delete: true })] }, "WhitelistedIp a has changed"],
    ["nothing left", { resources: [] }, "WhitelistedIp a is gone"],
    ["an interrupted run", { resources: [one], pending_operations: [{}] }, "pending operations is new"],
    ["another passphrase", { resources: [one], secrets_providers: passphrase }, "encryption is new"],
  ])("moves with %s", (_what, deployment, words) => {
    const [before, now] = [stateOf(one), digestState({ deployment })];
    expect(now.digest).not.toBe(before.digest);
    expect(movedParts(before, now)).toEqual([words]);
  });
});

describe("the output of a run that departs from its plan", () => {
  const before = "Previewing update (dev):\n +  Stack dev create\n";
  const violation =
    "    error: resource urn:pulumi:dev::p::DataStore::store violates plan: properties changed: ~~key[{&{{-----BEGIN\ncanary-1\n-----END}}}!={&{{canary-2}}}], ++other[{canary-3}]\nDiagnostics:\n canary-4\n";

  test.each([1, 7, 1000])("shows no value, arriving %i characters at a time, and is otherwise complete", (size) => {
    const shown = (text: string) => {
      const filter = withoutPlannedValues();
      const places = Array.from({ length: Math.ceil(text.length / size) }, (_, part) => part * size);
      return places.map((at) => filter(text.slice(at, at + size))).join("");
    };
    const found = shown(before + violation);
    expect(found).toContain(before);
    expect(found).toContain("DataStore::store violates plan: properties changed: ~~key\n(The engine quotes the values");
    expect(found).not.toContain("canary");
    expect(shown("one\ntwo\nthree\n")).toBe("one\ntwo\nthree\n");
  });
});

/* What a stack was last deployed with is on record in the backend, where others can write. */

const [older, newer] = ["a".repeat(40), "b".repeat(40)];
const update = (tree: string, key: string | null = keys.signing, stack = "dev") => ({
  message: updateMessage({ tree, judged: judgedProof(stack, tree, key ?? undefined) }, "1".repeat(64)),
});

test("the newest update that carried out a sealed plan counts, whatever was done by hand since", () => {
  const updates = [{ message: "by hand" }, {}, update(newer), update(older)];
  expect(provenTree("dev", updates, keys.verify)).toBe(newer);
  expect(provenTree("dev", [], keys.verify)).toBeUndefined();
});

test.each([
  ["signs with another key", update(newer, newKeys().signing)],
  ["does not sign", update(newer, null)],
  ["takes the record of another stack", update(newer, keys.signing, "prod")],
  ["puts another tree into it", { message: update(older).message.replace(older, newer) }],
])("whoever can write to the backend and %s is passed over", (_what, forged) => {
  expect(provenTree("dev", [forged], keys.verify)).toBeUndefined();
  expect(provenTree("dev", [forged, update(older)], keys.verify)).toBe(older);
});

test("a key that was rotated counts as long as it is named; where plans are not signed, all is believed", () => {
  const next = newKeys();
  expect(provenTree("dev", [update(older)], next.verify)).toBeUndefined();
  expect(provenTree("dev", [update(older)], `${next.verify}\n${keys.verify}`)).toBe(older);
  expect(provenTree("dev", [update(newer, null)], undefined)).toBe(newer);
});
