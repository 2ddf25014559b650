import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Emulator } from "../../../emulator";
import { testFolder } from "../../harness/folders";
import { addAddress as add, control as controlOf, emulate, spark, testEmulator } from "./calls";

const folder = testFolder();
const { emulator, control, post } = testEmulator({ clock: "manual" });

const addresses = (of: Emulator) => of.state().accounts[0]!.whitelist.map(({ ip_cidr }) => ip_cidr);

describe("in memory", () => {
  test("a snapshot brings back records, clock and ids, and is not changed by what follows", async () => {
    await add(emulator.url, "192.0.2.1");
    await post("/commands", spark);
    emulator.snapshot("one");
    const saved = emulator.state({ secrets: true });
    for (const _round of [1, 2]) {
      await add(emulator.url, "192.0.2.2");
      await control("DELETE", "/state/roles/301");
      emulator.advance(3600);
      expect(emulator.state({ secrets: true })).not.toEqual(saved);
      emulator.restore("one");
      expect(emulator.state({ secrets: true })).toEqual(saved);
    }
    await add(emulator.url, "192.0.2.3");
    const [first, next] = emulator.state().accounts[0]!.whitelist;
    expect(next!.id).toBe(first!.id + 1);
  });

  test("faults, readings and the request log stay as they are", async () => {
    emulator.snapshot("plain");
    emulator.setFaults({ rules: [{ kind: "503" }] });
    emulator.setReadings({ policyView: "array" });
    await add(emulator.url, "192.0.2.1");
    emulator.restore("plain");
    expect(emulator.requests().total).toBe(1);
    expect(emulator.readings().policyView).toBe("array");
    expect((await add(emulator.url, "192.0.2.1")).status).toBe(503);
  });
});

describe("through the control API", () => {
  test("save, list, load and delete", async () => {
    expect(await control("PUT", "/snapshots/b")).toMatchObject({ status: 200, body: { name: "b", replaced: false } });
    await add(emulator.url, "192.0.2.1");
    expect((await control("PUT", "/snapshots/a")).status).toBe(200);
    expect((await control("PUT", "/snapshots/a")).body).toMatchObject({ replaced: true });
    const { body } = await control("GET", "/snapshots");
    expect(body.snapshots.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(["a", "b"]));
    expect((await control("POST", "/snapshots/b/load")).status).toBe(200);
    expect(addresses(emulator)).toEqual([]);
    await control("POST", "/snapshots/a/load");
    expect(addresses(emulator)).toEqual(["192.0.2.1"]);
    for (const name of ["a", "b"]) expect((await control("DELETE", `/snapshots/${name}`)).status).toBe(200);
    expect((await control("POST", "/snapshots/a/load")).status).toBe(404);
  });

  test.each([
    ["PUT", "/snapshots/..%2Fup", 422],
    ["PUT", "/snapshots/.hidden", 422],
    ["PUT", `/snapshots/${"x".repeat(65)}`, 422],
    ["POST", "/snapshots/nothing/load", 404],
    ["DELETE", "/snapshots/nothing", 404],
  ] as const)("%s %s is %i and changes nothing", async (method, path, status) => {
    await add(emulator.url, "192.0.2.1");
    expect((await control(method, path)).status).toBe(status);
    expect(addresses(emulator)).toEqual(["192.0.2.1"]);
  });
});

describe("beside the data file", () => {
  test("they survive a restart, only the owner may read them, and a loaded one is in the data file", async () => {
    const data = join(folder, "state.jsonl");
    {
      await using first = await emulate({ data });
      await add(first.url, "192.0.2.1");
      first.snapshot("one");
      await add(first.url, "192.0.2.2");
    }
    {
      await using second = await emulate({ data });
      expect(addresses(second)).toEqual(["192.0.2.1", "192.0.2.2"]);
      expect(second.snapshots()).toMatchObject([{ name: "one" }]);
      await controlOf(second.url, "POST", "/snapshots/one/load");
    }
    await using third = await emulate({ data });
    expect(addresses(third)).toEqual(["192.0.2.1"]);
    const snapshots = `${data}.snapshots`;
    expect(readdirSync(snapshots)).toEqual(["one.jsonl"]);
    expect(statSync(join(snapshots, "one.jsonl")).mode & 0o077).toBe(0);
  });

  test("one that is damaged is refused, and one that cannot be written says so; nothing changes", async () => {
    const data = join(folder, "damaged.jsonl");
    await using own = await emulate({ data });
    await add(own.url, "192.0.2.1");
    own.snapshot("bad");
    writeFileSync(join(`${data}.snapshots`, "bad.jsonl"), "not a snapshot\n");
    const refused = await controlOf(own.url, "POST", "/snapshots/bad/load");
    expect([refused.status, refused.body.error.error_message]).toEqual([422, expect.stringContaining("snapshot bad")]);
    rmSync(`${data}.snapshots`, { recursive: true });
    writeFileSync(`${data}.snapshots`, "a file in the way");
    expect(() => own.snapshot("none")).toThrow(/cannot write the snapshot/);
    expect(addresses(own)).toEqual(["192.0.2.1"]);
  });
});
