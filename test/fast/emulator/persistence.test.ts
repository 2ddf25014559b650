import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { ownFolder } from "../../harness/folders";
import { listen } from "../../harness/http";
import { addAddress as add, callOf, emulate, send, specifiedRows } from "./calls";

let folder: string;
let data: string;

beforeEach(() => {
  folder = ownFolder();
  data = join(folder, "state.jsonl");
});

const addresses = (count: number) => Array.from({ length: count }, (_, index) => `10.1.${index >> 8}.${index & 255}`);

test("everything survives a restart, and ids continue", async () => {
  const before = await (async () => {
    await using emulator = await emulate({ data });
    expect(emulator.restored).toBe(false);
    expect(statSync(data).mode & 0o077, "only the owner may read passwords and tokens").toBe(0);
    for (const row of specifiedRows)
      if (row[0] !== "whitelist.delete")
        expect((await send(emulator.url, "analytics-admin", callOf(row))).status).toBe(200);
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

test("an incomplete last line is ignored; the lines before it are kept", async () => {
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
  ["a corrupt line", '{"format":"dataplatform-emulator","version":1}\nnope\n', /corrupt at line 2/],
])("%s in the file is an error, and the file stays as it is", async (_title, text, message) => {
  writeFileSync(data, text);
  await expect(emulate({ data })).rejects.toThrow(message);
  expect(readFileSync(data, "utf8")).toBe(text);
});

test("a missing folder is an error that names the file", async () => {
  await expect(emulate({ data: join(folder, "no/state.jsonl") })).rejects.toThrow(
    /cannot write the data file .*ENOENT/,
  );
});

test("a reset and the clock are kept too", async () => {
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

test("many writes at the same time share their disk writes", async () => {
  // No more than a server lets wait by default (511): a busy machine resets the others.
  const many = 400;
  await using emulator = await emulate({ data });
  const replies = await Promise.all(addresses(many).map((address) => add(emulator.url, address)));
  expect(replies.every(({ status }) => status === 200)).toBe(true);
  expect(emulator.state().accounts[0]?.whitelist).toHaveLength(many);
  expect(readFileSync(data, "utf8").trim().split("\n").length).toBeLessThan(many);
});

describe("a second emulator", () => {
  test("on a port in use says so, and leaves the data file alone", async () => {
    {
      await using first = await emulate({ data });
      await add(first.url, "192.0.2.1");
      const before = readFileSync(data, "utf8");
      await expect(emulate({ data, port: first.port })).rejects.toThrow(
        `port ${first.port} on 127.0.0.1 is already in use; choose another, or 0 for a free one`,
      );
      expect(readFileSync(data, "utf8")).toBe(before);
      await add(first.url, "192.0.2.2");
    }
    await using again = await emulate({ data });
    expect(again.state().accounts[0]?.whitelist.map(({ ip_cidr }) => ip_cidr)).toEqual(["192.0.2.1", "192.0.2.2"]);
  });

  test("with the same data file fails, and names the other emulator", async () => {
    await using first = await emulate({ data });
    await expect(emulate({ data })).rejects.toThrow(
      `the data file ${data} is in use by the emulator at ${first.url} (process ${process.pid}): ` +
        "stop that one, or start this one with another data file",
    );
    await add(first.url, "192.0.2.1");
    expect(readFileSync(data, "utf8")).toContain("192.0.2.1");
  });

  test.each([
    ["a killed one", JSON.stringify({ url: "http://127.0.0.1:1", pid: 1, instance: "gone" })],
    ["an incomplete lock", '{"url":'],
    ["a lock that is empty", ""],
    ["a lock that names nobody", "null"],
    ["a lock without an address", JSON.stringify({ url: "nowhere", pid: 1, instance: "gone" })],
  ])("takes over from %s, and leaves no lock behind", async (_title, lock) => {
    writeFileSync(`${data}.lock`, lock);
    {
      await using _emulator = await emulate({ data });
      expect(readFileSync(`${data}.lock`, "utf8")).not.toBe(lock);
    }
    expect(existsSync(`${data}.lock`)).toBe(false);
  });

  test.each(["127.0.0.1", "localhost"])("takes over on the port of a killed one, at %s", async (host) => {
    let lock: string;
    let port: number;
    {
      await using killed = await emulate({ data });
      await add(killed.url, "192.0.2.1");
      ({ port } = killed);
      lock = readFileSync(`${data}.lock`, "utf8");
    }
    writeFileSync(`${data}.lock`, lock);
    await using again = await emulate({ data, port, host });
    expect(again.state().accounts[0]?.whitelist).toMatchObject([{ ip_cidr: "192.0.2.1" }]);
  });

  test("where nothing answers at the address of the lock, its process decides", async () => {
    const silent = createServer(() => {});
    const url = await listen(silent);
    const lock = (pid: number) => JSON.stringify({ url, pid, instance: "silent" });
    const busy = join(folder, "busy.jsonl");
    // No process has so high a number.
    writeFileSync(`${data}.lock`, lock(2 ** 30));
    writeFileSync(`${busy}.lock`, lock(process.pid));
    const [gone, there] = await Promise.allSettled([emulate({ data }), emulate({ data: busy })]);
    expect(there).toMatchObject({ reason: { message: expect.stringContaining(`in use by the emulator at ${url}`) } });
    expect(gone.status).toBe("fulfilled");
    if (gone.status === "fulfilled") await gone.value.close();
    silent.close();
  });

  test("with a lock that cannot be read says so, and does not wait for it", async () => {
    mkdirSync(`${data}.lock`);
    await expect(emulate({ data })).rejects.toThrow(`cannot use the lock ${data}.lock: EISDIR`);
  });
});
