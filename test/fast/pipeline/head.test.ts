import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { findPlan } from "../../../cli/pipeline/apply";
import { headConfig, hostGate, requireSameHost } from "../../../cli/pipeline/head-config";
import { newKeys } from "../../../cli/pipeline/keys";
import { protectedCommit, requireHeadOf } from "../../../cli/pipeline/observe";
import { type Bound, sealPlan } from "../../../cli/pipeline/plan";
import { planStore } from "../../../cli/pipeline/plan-store";
import { isRenewable, type Refused } from "../../../cli/pipeline/refused";
import { Forge } from "../../harness/forge";
import { forTest } from "../../harness/shared";
import { eachWithCommit } from "./repository";

/* Which commit a step is about: the head of the protected branch, and the one whose plan is looked for. */

const at = eachWithCommit();
let forge: Forge;
beforeEach(async () => {
  forge = forTest(await Forge.start());
});

test("a repair is for the head of the protected branch, as the forge knows it", async () => {
  const kinds = ["github", "gitlab"] as const;
  const old = at.repository.commit({ a: "1" });
  forge.head = at.repository.commit({ a: "2" });
  for (const kind of kinds) await expect(requireHeadOf("main", forge.variables(kind))).resolves.toBeUndefined();
  at.repository.git("checkout", "--quiet", old);
  const why = `foreign: this is commit ${old}, and the head of main is ${forge.head}`;
  for (const kind of kinds) await expect(requireHeadOf("main", forge.variables(kind))).rejects.toThrow(why);
});

test("where the token would go is read from the project's file too, in any spelling; the stack's own wins", async () => {
  const setting = (value: string) => `config:\n  dataplatform:baseUrl: ${value}\n`;
  const addressIn = async (own: string) =>
    (await headConfig(at.repository.commit({ "Pulumi.prod.yaml": own }), "prod")).baseUrl;
  at.repository.commit({ "Pulumi.yaml": setting("{ value: https://evil.example }") });
  for (const [own, address] of [
    ["config: {}\n", "https://evil.example"],
    [setting("{ secure: v1:x }"), "an address that cannot be read"],
    [setting("[https://evil.example]"), "an address that cannot be read"],
  ] as const)
    expect(hostGate(await addressIn(own), { DATAPLATFORM_TOKEN_HOSTS: "api.example.com" })).toEqual([
      expect.stringContaining(`other host: dataplatform:baseUrl is ${address}`),
    ]);
  expect(await addressIn(setting("https://api.example.com"))).toBe("https://api.example.com");
});

describe("on one's own machine", () => {
  const config = (host: string, name = "dataplatform:baseUrl") =>
    `{"config": {"${name}": "https://${host}.example.com"}}`;

  const evil = "https://evil.example.com";

  test("a repair is for the head of the branch where it is shared, whatever the remote is called", async () => {
    const old = at.repository.commit({ a: "1" });
    at.repository.git("clone", "--quiet", "--bare", ".", "shared.git");
    at.repository.git("remote", "add", "company", "shared.git");
    await expect(requireHeadOf("main", {})).resolves.toBeUndefined();
    at.repository.git("commit", "--quiet", "--allow-empty", "--message", "not pushed");
    await expect(requireHeadOf("main", {})).rejects.toThrow(`and the head of main is ${old}`);
  });

  test("without a remote, of the branch itself; what cannot be asked is refused", async () => {
    const main = at.repository.commit({ a: "1" });
    await expect(requireHeadOf("main", {})).resolves.toBeUndefined();
    at.repository.git("switch", "--quiet", "--create", "other");
    at.repository.commit({ a: "2" });
    await expect(requireHeadOf("main", {})).rejects.toThrow(`and the head of main is ${main}`);
    await expect(requireHeadOf("trunk", {})).rejects.toThrow("not verifiable: there is no branch trunk here");
    at.repository.git("remote", "add", "origin", "nowhere.git");
    const why = "not verifiable: the head of main cannot be read from origin";
    await expect(requireHeadOf("main", {})).rejects.toThrow(why);
  });

  test.each(["Pulumi.dev.yaml", "Pulumi.yaml"])("a branch whose %s names another host is refused", async (file) => {
    const main = at.repository.commit({ [file]: config("api") });
    await expect(requireSameHost(main, "dev", {})).resolves.toBeUndefined();
    at.repository.commit({ [file]: config("evil") });
    const why = `other host: dataplatform:baseUrl is ${evil} here, and https://api.example.com on the protected branch`;
    await expect(requireSameHost(main, "dev", {})).rejects.toThrow(why);
    await requireSameHost(main, "dev", { DATAPLATFORM_TOKEN_HOSTS: "evil.example.com" });
  });

  const two = `config:\n  dataplatform:baseUrl: https://api.example.com\n  dataplatform:config:baseUrl: ${evil}\n`;

  test.each([
    ["a folder for its stacks", { "Pulumi.yaml": "stackConfigDir: a\n", "a/Pulumi.dev.yaml": config("evil") }, evil],
    ["another form of its files", { "Pulumi.json": "{}", "Pulumi.dev.json": config("evil") }, evil],
    ["our name", { "Pulumi.yaml": "name: dataplatform\n", "Pulumi.dev.yaml": config("evil", "baseUrl") }, evil],
    ["an old spelling", { "Pulumi.dev.yaml": config("evil", "dataplatform:config:baseUrl") }, evil],
    ["two spellings in one file", { "Pulumi.dev.yaml": two }, "an address that cannot be read"],
  ])("a branch that gives the project %s cannot hide another host there", async (_, files, found) => {
    const main = at.repository.commit({ "Pulumi.yaml": "name: p\n", "Pulumi.dev.yaml": config("api") });
    at.repository.commit(files);
    await expect(requireSameHost(main, "dev", {})).rejects.toThrow(`is ${found} here`);
  });

  test("a branch is compared with main as it was fetched, or else with the local one", async () => {
    const main = at.repository.commit({ a: "1" });
    expect(await protectedCommit("trunk")).toBeUndefined();
    at.repository.git("switch", "--quiet", "--create", "other");
    const change = at.repository.commit({ a: "2" });
    expect(await protectedCommit("main")).toBe(main);
    at.repository.git("remote", "add", "company", "nowhere.git");
    at.repository.git("update-ref", "refs/remotes/company/main", change);
    expect(await protectedCommit("main")).toBe(change);
  });

  test("find returns the plan that was sealed last, however it was uploaded, and none of another commit or stack", async () => {
    const commit = at.repository.commit({ a: "1" });
    const tree = at.repository.git("rev-parse", "HEAD^{tree}");
    const sealed = (bound: Partial<Bound>, key?: string) =>
      sealPlan("{}", { stack: "dev", kind: "change", commit, tree, ...bound } as Bound, key);
    for (const createdAt of ["2026-11-02T00:00:00Z", "2026-11-01T00:00:00Z"])
      forge.upload(`plan-dev-${tree}`, sealed({ createdAt }));
    const store = planStore(forge.variables("github"), "dev");
    expect((await findPlan("dev", "change", store)).bound.createdAt).toBe("2026-11-02T00:00:00Z");

    mkdirSync("plans");
    const keep = (...plan: Parameters<typeof sealed>) => writeFileSync(join("plans", "dev.json"), sealed(...plan));
    const find = () => findPlan("dev", "change", planStore({}, "dev"));
    keep({});
    expect(await find()).toMatchObject({ bound: { tree }, signer: undefined });
    keep({ stack: "prod" });
    await expect(find()).rejects.toThrow(/^missing: [\s\S]*\nnot this one: \w{64} is of prod, /);
    // A repair is there, so a new plan is not what is missing.
    keep({ kind: "repair" });
    const reasons = await find().catch((error: Refused) => error.reasons);
    expect(reasons).toContainEqual(expect.stringMatching(/^of another kind: \w{64} is a repair .*: add --repair$/));
    expect(isRenewable(reasons as string[])).toBe(false);
    keep({}, newKeys().signing);
    await expect(find()).rejects.toThrow("not verifiable: the plan is signed");
    keep({});
    at.repository.commit({ a: "2" });
    await expect(find()).rejects.toThrow(/^missing: [\s\S]*\nnot this one: \w{64} is of dev, commit \w{40}/);
  });
});
