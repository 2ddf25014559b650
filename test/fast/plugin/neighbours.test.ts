import { chmodSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
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
function toldBy(pid: number, tell: (neighbours: Neighbours) => void): void {
  tell(new Neighbours(engine, settings));
  const mine = join(folder, own());
  renameSync(mine, mine.replace(/\d+$/, String(pid)));
}
const noProcess = 2 ** 30;

test("what another process of the run declares is known, and kept once its work has begun", () => {
  toldBy(process.ppid, (neighbours) => {
    neighbours.declare(declarant, [key], ["policy of note/501"], none);
    neighbours.declare({ who: "2", label: "new", isNew: true }, ["role"], [], none);
  });
  const here = new Neighbours(engine, settings);
  expect(here.declarerOf(["another spelling", key], none)).toBe(declarant.label);
  expect(here.keeperOf([key], none)).toBe(declarant.label);
  expect(here.sharerOf("policy of note/501", none)).toBe(declarant.label);
  expect([here.declarerOf(["role"], none), here.keeperOf(["role"], none), here.keeperOf(["other"], none)]).toEqual([
    "new",
    undefined,
    undefined,
  ]);
  const [theirs] = files().filter((path) => path.endsWith(`/${process.ppid}`));
  toldBy(process.ppid, (neighbours) => {
    neighbours.declare({ who: "2", label: "new", isNew: true }, ["role"], [], none);
    neighbours.takeOver(["role"], [], none);
  });
  expect(here.keeperOf(["role"], none)).toBe("new");
  writeFileSync(join(folder, theirs!), '["declare",{"who"', { flag: "a" });
  expect(here.keeperOf(["role"], none), "the last line is half written").toBe("new");
});

test("nobody else's: another run, account or platform, a process that has ended, and its own", () => {
  toldBy(process.ppid, (neighbours) => neighbours.declare(declarant, [key], [], none));
  const others = [
    new Neighbours("127.0.0.1:4243", settings),
    new Neighbours(engine, { ...settings, apiToken: "other" }),
    new Neighbours(engine, { ...settings, baseUrl: "https://other.example.com" }),
  ];
  expect(others.map((other) => other.declarerOf([key], none))).toEqual([undefined, undefined, undefined]);
  toldBy(noProcess, (neighbours) => neighbours.declare(declarant, ["dead"], [], none));
  const here = new Neighbours(engine, settings);
  here.declare(declarant, ["own"], [], none);
  expect([here.declarerOf(["dead"], none), here.declarerOf(["own"], none)]).toEqual([undefined, undefined]);
});

test("with another token of the same account, once both know that it is the same", () => {
  const [ours, theirs] = [new Set(["1001"]), new Set(["1002"])];
  toldBy(process.ppid, (neighbours) => {
    neighbours.declare(declarant, [key], [], none);
    neighbours.takeOver([key], [], ours);
  });
  const here = new Neighbours(engine, { ...settings, apiToken: "rotated" });
  expect([none, theirs, ours].map((accounts) => here.keeperOf([key], accounts))).toEqual([
    undefined,
    undefined,
    "a resource of this run",
  ]);
});

test("the files say nothing about keys and tokens, and are for this user only", () => {
  const here = new Neighbours(engine, settings);
  here.declare(declarant, [key], [key], none);
  here.takeOver([key], [key], none);
  expect(readFileSync(join(folder, own()), "utf8")).not.toMatch(/203\.0\.113|canary|address/);
  const [root] = readdirSync(folder);
  chmodSync(join(folder, root!), 0o777);
  rmSync(join(folder, own()));
  const next = new Neighbours(engine, settings);
  next.declare(declarant, [key], [], none);
  expect(own(), "others could write here").toBeUndefined();
});

test("what killed processes have left is removed by the next run, and a folder that cannot be made is no error", () => {
  toldBy(noProcess, (neighbours) => neighbours.declare(declarant, [key], [], none));
  new Neighbours("127.0.0.1:4243", settings).declare(declarant, [key], [], none);
  expect(files().filter((path) => path.includes("4242"))).toEqual([]);
  vi.stubEnv("TMPDIR", join(folder, own(), "below-a-file"));
  const nowhere = new Neighbours(engine, settings);
  nowhere.declare(declarant, [key], [], none);
  expect(nowhere.keeperOf([key], none)).toBeUndefined();
});
