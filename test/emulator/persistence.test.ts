import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { emulate, goodCalls, send } from "./calls.js";

let folder: string;
let data: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "emulator-"));
  data = join(folder, "state.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true }));

const addresses = (count: number) => Array.from({ length: count }, (_, index) => `10.1.${index >> 8}.${index & 255}`);

const add = (url: string, ip_cidr: string) =>
  send(url, "analytics-admin", { method: "POST", path: "/api/v1.2/whitelist_ip", body: { ip_cidr } });

test("everything is there after a restart, and ids go on", async () => {
  const before = await (async () => {
    await using emulator = await emulate({ data });
    expect(emulator.restored).toBe(false);
    for (const [operation, call] of Object.entries(goodCalls))
      if (operation !== "whitelist.delete")
        expect((await send(emulator.url, "analytics-admin", call)).status).toBe(200);
    await add(emulator.url, "192.0.2.77");
    const last = emulator.state().accounts[0]!.whitelist.at(-1)!.id;
    await send(emulator.url, "analytics-admin", { method: "DELETE", path: `/api/v1.2/whitelist_ip/${last}` });
    return { state: emulator.state({ secrets: true }), last };
  })();
  for (const _restart of [1, 2]) {
    await using emulator = await emulate({ data });
    expect(emulator.restored).toBe(true);
    expect(emulator.tokens.admin).toBe("analytics-admin");
    expect(emulator.state({ secrets: true })).toEqual(before.state);
  }
  await using emulator = await emulate({ data });
  await add(emulator.url, "192.0.2.78");
  expect(emulator.state().accounts[0]!.whitelist.at(-1)!.id).toBe(before.last + 1);
});

test("only the owner may read the file: it holds passwords and tokens", async () => {
  await using _emulator = await emulate({ data });
  expect(statSync(data).mode & 0o077).toBe(0);
});

test("a torn last line is left out; what came before it is kept", async () => {
  {
    await using emulator = await emulate({ data });
    await add(emulator.url, "192.0.2.1");
  }
  appendFileSync(data, '[["put","whitelist",1001,{"id":9');
  await using emulator = await emulate({ data });
  expect(emulator.state().accounts[0]?.whitelist).toMatchObject([{ ip_cidr: "192.0.2.1" }]);
  await add(emulator.url, "192.0.2.2");
  expect(readFileSync(data, "utf8").endsWith("\n")).toBe(true);
});

test.each([
  ["something else", "hello\n", /not a data file/],
  ["a damaged line", '{"format":"dataplatform-emulator","version":1}\nnope\n', /damaged at line 2/],
])("%s in the file is an error, and stays as it is", async (_title, text, message) => {
  writeFileSync(data, text);
  await expect(emulate({ data })).rejects.toThrow(message);
  expect(readFileSync(data, "utf8")).toBe(text);
});

test("a folder that is not there is an error that names the file", async () => {
  await expect(emulate({ data: join(folder, "no/state.jsonl") })).rejects.toThrow(
    /cannot write the data file .*ENOENT/,
  );
});

test("a reset is kept too, and so is the clock", async () => {
  {
    await using emulator = await emulate({ data, clock: "manual" });
    await add(emulator.url, "192.0.2.1");
    emulator.reset();
    await send(emulator.url, undefined, {
      method: "POST",
      path: "/_emulator/clock",
      body: { mode: "manual", at: "2031-01-01T00:00:00Z" },
    });
  }
  await using emulator = await emulate({ data });
  expect(emulator.state().accounts[0]?.whitelist).toEqual([]);
  expect((await send(emulator.url, undefined, { method: "GET", path: "/_emulator/health" })).body.now).toBe(
    "2031-01-01T00:00:00Z",
  );
});

test("1,000 writes are quick: those that wait together share one write to the disk", async () => {
  await using emulator = await emulate({ data });
  const before = performance.now();
  const replies = await Promise.all(addresses(1000).map((address) => add(emulator.url, address)));
  expect(replies.every(({ status }) => status === 200)).toBe(true);
  expect(performance.now() - before).toBeLessThan(10_000);
  expect(emulator.state().accounts[0]?.whitelist).toHaveLength(1000);
  expect(readFileSync(data, "utf8").trim().split("\n").length).toBeLessThan(1000);
});
