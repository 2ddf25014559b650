import { describe, expect, test } from "vitest";
import { forTest } from "../../harness/shared";
import { startSecondPlatform } from "../../second-platform";
import { SmallEngine } from "../chaos/small-engine";
import { changes, factsOf } from "./facts";
import { lives, programOf } from "./program";
import { oneOfEach } from "./readings";
import { sentTo } from "./whole-life";

/**
 * A minimal role is enough, and a wrong address harmless. That a token of another account does nothing is in
 * test/engine/promises/other-account.
 */

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
    const fresh = forTest(await startSecondPlatform());
    const engine = forTest(new SmallEngine({ baseUrl: fresh.url, token: fresh.tokenWith(permissions) }));
    const [first, second] = [programOf([name], "first"), programOf([name], "second")];
    for (const program of [first, second, {}]) {
      expect(await engine.up(program)).toEqual([]);
      const ids = [...(await engine.ids())];
      expect(await engine.refresh()).toEqual([]);
      expect([...(await engine.ids())]).toEqual(ids);
      fresh.clearRequests();
      expect(await engine.up(program)).toEqual([]);
      expect(sentTo(fresh)).toEqual([]);
    }
  });

  test("a policy can be set without permission to view it, if destroy does not restore the old one", async () => {
    const fresh = forTest(await startSecondPlatform());
    const engine = forTest(
      new SmallEngine({ baseUrl: fresh.url, token: fresh.tokenWith(["setting an object policy"]) }),
    );
    const { type, first } = lives["notebook"]!;
    const [refusal] = await engine.up({ notebook: { type, args: { ...first } } });
    expect(refusal?.message).toMatch(/viewing the object policy.*set onDestroy to "clear" or "keep"/);
    const cleared = { notebook: { type, args: { ...first, onDestroy: "clear" } } };
    expect(await engine.up(cleared)).toEqual([]);
    expect(await engine.refresh()).toEqual([]);
    expect(engine.said()).toMatch(/so its state is kept/);
    expect(await engine.up({})).toEqual([]);
    expect(factsOf(fresh.state()).get("101 note 501")).toBe("");
  });
});

/** What destroy removes or restores with a request. */
const removed = ["address", "addresses", "role", "roles", "notebook", "folderPolicy", "packages"];

test.each(["error body", "HTML page", "200 HTML page", "empty 404"] as const)(
  "a wrong base path with %s: nothing counts as removed, gone or created",
  async (unknownPath) => {
    const platform = forTest(await startSecondPlatform({ unknownPath }));
    const options = { baseUrl: platform.url, token: platform.tokens.admin };
    const right = forTest(new SmallEngine(options));
    expect(await right.up(programOf(oneOfEach, "first"))).toEqual([]);
    const held = factsOf(platform.state());
    const from = right.recorded();
    const wrong = forTest(new SmallEngine({ ...options, baseUrl: `${platform.url}/elsewhere`, retries: 1, from }));
    await wrong.refresh();
    expect([...(await wrong.ids())]).toEqual([...(await right.ids())]);
    const failed = (await wrong.up({})).map(({ name }) => name);
    expect(removed.filter((name) => !failed.includes(name))).toEqual([]);
    expect(changes(held, factsOf(platform.state()))).toEqual([]);
  },
);
