import { chmodSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Declarations } from "../../../provider/core/declarations";
import { Neighbours } from "../../../provider/engine/neighbours";

/** What the processes of one run tell each other. On the engine: test/modes/promises/declared-elsewhere.test.ts. */

const engine = "127.0.0.1:4242";
const settings = { baseUrl: "https://platform.example.com", apiToken: "canary-token" };
const key = "address 203.0.113.7";
const none: ReadonlySet<string> = new Set();
const declarant = { who: "1", label: 'WhitelistedIp "office"', isNew: false };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "dataplatform-neighbours-"));
  vi.stubEnv("TMPDIR", folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** Two levels below: of the user, and of the run. */
const own = (): string =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).find((path) => path.endsWith(`/${process.pid}`))!;
const files = () => readdirSync(folder, { recursive: true, encoding: "utf8" });

/** As if this had been told by another process that lives, such as the one that started this one, or by a dead one. */
function toldBy(pid: number, tell: (neighbours: Neighbours) => void, accounts = none): void {
  tell(new Neighbours(engine, settings, accounts));
  const mine = join(folder, own());
  renameSync(mine, mine.replace(/\d+$/, String(pid)));
}
const noProcess = 2 ** 30;

test("what another process of the run declares is known, and kept once its work has begun", () => {
  toldBy(process.ppid, (neighbours) => {
    neighbours.declare(declarant, [key], ["policy of note/501"]);
    neighbours.declare({ who: "2", label: "new", isNew: true }, ["role"], []);
  });
  const here = new Neighbours(engine, settings, none);
  expect(here.declarerOf("another spelling", key)).toBe(declarant.label);
  expect(here.keeperOf(key)).toBe(declarant.label);
  expect(here.sharerOf("policy of note/501")).toBe(declarant.label);
  expect([here.declarerOf("role"), here.keeperOf("role"), here.keeperOf("other")]).toEqual([
    "new",
    undefined,
    undefined,
  ]);
  const [theirs] = files().filter((path) => path.endsWith(`/${process.ppid}`));
  toldBy(process.ppid, (neighbours) => {
    neighbours.declare({ who: "2", label: "new", isNew: true }, ["role"], []);
    neighbours.takeOver(["role"], []);
  });
  expect(here.keeperOf("role")).toBe("new");
  writeFileSync(join(folder, theirs!), '["declare",{"who"', { flag: "a" });
  expect(here.keeperOf("role"), "the last line is half written").toBe("new");
});

test("what another process is removing is waited for, before it is taken over", async () => {
  toldBy(process.ppid, (neighbours) => neighbours.removing([key], true));
  const here = new Declarations();
  here.others = new Neighbours(engine, settings, none);
  let isTaken = false;
  const taking = here.takeOver([key]).then(() => {
    isTaken = true;
  });
  await setTimeout(150);
  expect(isTaken).toBe(false);
  toldBy(process.ppid, (neighbours) => {
    neighbours.removing([key], true);
    neighbours.removing([key], false);
  });
  await taking;
});

test("nobody else's: another run, account or platform, a process that has ended, and its own", () => {
  toldBy(process.ppid, (neighbours) => neighbours.declare(declarant, [key], []));
  const others = [
    new Neighbours("127.0.0.1:4243", settings, none),
    new Neighbours(engine, { ...settings, apiToken: "other" }, none),
    new Neighbours(engine, { ...settings, baseUrl: "https://other.example.com" }, none),
  ];
  expect(others.map((other) => other.declarerOf(key))).toEqual([undefined, undefined, undefined]);
  toldBy(noProcess, (neighbours) => neighbours.declare(declarant, ["dead"], []));
  const here = new Neighbours(engine, settings, none);
  here.declare(declarant, ["own"], []);
  expect([here.declarerOf("dead"), here.declarerOf("own")]).toEqual([undefined, undefined]);
});

test("with another token of the same account, once both know that it is the same", () => {
  const there = new Declarations();
  const tell = (neighbours: Neighbours) => {
    there.others = neighbours;
    there.declare(declarant, [key], ["policy of note/501"]);
    there.own(["address 203.0.113.8"]);
    there.own(["object grant"], { before: "only its own process knows" });
    there.takeOver([key]);
    there.worksIn("1001");
  };
  toldBy(process.ppid, tell, there.workedIn);
  const here = (accounts: ReadonlySet<string>) => {
    const found = new Neighbours(engine, { ...settings, apiToken: "rotated" }, accounts);
    const owned = [key, "address 203.0.113.8", "object grant"].map((one) => found.isOwned(one));
    return [found.keeperOf(key), found.declarerOf(key), found.sharerOf("policy of note/501"), ...owned];
  };
  const { label } = declarant;
  const nothing = [undefined, undefined, undefined, false, false, false];
  expect(here(none)).toEqual(nothing);
  expect(here(new Set(["1002"]))).toEqual(nothing);
  expect(here(new Set(["1001"]))).toEqual([label, label, label, false, true, false]);
});

test("the files say nothing about keys and tokens, and are for this user only", () => {
  const here = new Neighbours(engine, settings, none);
  here.declare(declarant, [key], [key]);
  here.takeOver([key], [key]);
  expect(readFileSync(join(folder, own()), "utf8")).not.toMatch(/203\.0\.113|canary|address/);
  const [root] = readdirSync(folder);
  chmodSync(join(folder, root!), 0o777);
  rmSync(join(folder, own()));
  const next = new Neighbours(engine, settings, none);
  next.declare(declarant, [key], []);
  expect(own(), "others could write here").toBeUndefined();
});

test("what killed processes have left is removed by the next run, and a folder that cannot be made is no error", () => {
  toldBy(noProcess, (neighbours) => neighbours.declare(declarant, [key], []));
  new Neighbours("127.0.0.1:4243", settings, none).declare(declarant, [key], []);
  expect(files().filter((path) => path.includes("4242"))).toEqual([]);
  vi.stubEnv("TMPDIR", join(folder, own(), "below-a-file"));
  const nowhere = new Neighbours(engine, settings, none);
  nowhere.declare(declarant, [key], []);
  expect(nowhere.keeperOf(key)).toBeUndefined();
});
