import { beforeAll, describe, expect, test } from "vitest";
import { resources } from "../../../provider/resources";
import { request } from "../../harness/http";
import { inProcess } from "../../harness/in-process";
import { shared } from "../../harness/shared";
import { startSecondPlatform } from "../../second-platform";
import { SmallEngine } from "../chaos/small-engine";
import { changes, factsOf } from "./facts";
import { lives, programOf } from "./program";
import { oneOfEach } from "./readings";

/** Tokens: another account's resources are neither touched nor taken for gone, and a minimal role is enough. */

const platform = shared(() => startSecondPlatform());

describe("with the token of another account", () => {
  const errors = new Map<string, string[]>();

  beforeAll(async () => {
    // The other account has entries with the same ids that ours will get.
    for (const ip of ["192.0.2.90", "192.0.2.91", "192.0.2.92", "192.0.2.93", "192.0.2.94"])
      await request(platform, "POST", "/api/v1.2/whitelist_ip", { ip_cidr: ip }, "otherAccount");
    const own = new SmallEngine({ baseUrl: platform.url, token: platform.tokens.admin });
    expect(await own.up(programOf(oneOfEach, "first"))).toEqual([]);
    const held = factsOf(platform.state());
    for (const [name, { id, state, type }] of own.recorded().state) {
      const definition = resources.find((one) => one.type === type)!;
      const { life, client } = inProcess(definition, platform, { token: "otherAccount" });
      const inputs = life.check({ ...lives[name]!.second }, { old: life.inputsOf(state) }).inputs;
      const attempts = [() => life.read(id, state), () => life.update(id, state, inputs), () => life.delete(id, state)];
      const said: string[] = [];
      for (const attempt of attempts)
        said.push(
          await attempt().then(
            () => "no error",
            (error: Error) => error.message,
          ),
        );
      errors.set(name, said);
      await client.close();
    }
    expect(changes(held, factsOf(platform.state()))).toEqual([]);
    await own.close();
  });

  test.each(oneOfEach)("%s: read, update and delete name both accounts", (name) => {
    for (const message of errors.get(name)!)
      expect(message).toMatch(/belongs to account 101, but the configured token belongs to account 202/);
  });
});

/** The permissions that each life needs from create to destroy, including refreshes. */
const sufficient: Readonly<Record<string, readonly string[]>> = {
  address: ["editing an account"],
  addresses: ["editing an account"],
  account: ["creating an account"],
  store: ["creating a data store"],
  role: ["assigning roles to a group", "unassigning roles from a group"],
  roles: ["assigning roles to a group", "unassigning roles from a group"],
  notebook: ["setting an object policy", "viewing the object policy"],
  folderPolicy: ["submitting a command"],
  packages: ["updating an environment"],
  sensor: ["creating a sensor"],
  user: ["enabling users"],
  folder: ["submitting a command"],
  spark: ["submitting a command"],
  refresh: ["submitting a command"],
};

describe("with a role that only allows the writes", () => {
  test("every life has its permissions", () => {
    expect(Object.keys(sufficient).sort()).toEqual([...oneOfEach].sort());
  });

  test.each(Object.entries(sufficient))("%s lives with %j", async (name, permissions) => {
    const fresh = await startSecondPlatform();
    const engine = new SmallEngine({ baseUrl: fresh.url, token: fresh.tokenWith(permissions) });
    const [first, second] = [programOf([name], "first"), programOf([name], "second")];
    for (const program of [first, second, {}]) {
      expect(await engine.up(program)).toEqual([]);
      const ids = [...(await engine.ids())];
      expect(await engine.refresh()).toEqual([]);
      expect([...(await engine.ids())]).toEqual(ids);
      fresh.clearRequests();
      expect(await engine.up(program)).toEqual([]);
      expect(fresh.requests()).toEqual([]);
    }
    await engine.close();
    await fresh.close();
  });

  test("a policy can be set without permission to view it, if destroy does not restore the old one", async () => {
    const fresh = await startSecondPlatform();
    const engine = new SmallEngine({ baseUrl: fresh.url, token: fresh.tokenWith(["setting an object policy"]) });
    const { type, first } = lives["notebook"]!;
    const [refusal] = await engine.up({ notebook: { type, args: { ...first } } });
    expect(refusal?.message).toMatch(/viewing the object policy.*set onDestroy to "clear" or "keep"/);
    const cleared = { notebook: { type, args: { ...first, onDestroy: "clear" } } };
    expect(await engine.up(cleared)).toEqual([]);
    expect(await engine.refresh()).toEqual([]);
    expect(engine.said()).toMatch(/so its state is kept/);
    expect(await engine.up({})).toEqual([]);
    expect(factsOf(fresh.state()).get("101 note 501")).toBe("");
    await engine.close();
    await fresh.close();
  });

  test("without the permission, the error names it, and nothing is created", async () => {
    const fresh = await startSecondPlatform();
    const held = factsOf(fresh.state());
    const engine = new SmallEngine({ baseUrl: fresh.url, token: fresh.tokens.powerless });
    const failures = await engine.up(programOf(oneOfEach, "first"));
    expect(failures.map(({ name }) => name).sort()).toEqual([...oneOfEach].sort());
    for (const { message } of failures) expect(message).toMatch(/\(403\).*role that allows/);
    expect(changes(held, factsOf(fresh.state()))).toEqual([]);
    await engine.close();
    await fresh.close();
  });
});
