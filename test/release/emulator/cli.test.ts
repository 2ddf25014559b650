import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, test } from "vitest";
import * as emulator from "../../../cli/emulator";
import { addAddress, control, emulate, goodCalls, send } from "../../fast/emulator/calls";
import { inside } from "../../harness/command";
import { root } from "../../harness/engine";
import { testFolder } from "../../harness/folders";

const program = join(root, "dist/cli/main.js");
const children: ChildProcess[] = [];
const folder = testFolder();
const wrongSeed = join(folder, "bad.json");
writeFileSync(wrongSeed, JSON.stringify({ accounts: [{ id: "x" }] }));
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

const run = (...args: string[]) =>
  spawnSync(process.execPath, [program, ...args], { encoding: "utf8", timeout: 20_000 });

interface Running {
  child: ChildProcess;
  url: string;
  lines: string[];
}

/** Starts `dataplatform emulator` and reads its start-up output. */
async function start(...args: string[]): Promise<Running> {
  const child = spawn(process.execPath, [program, "emulator", "--port", "0", ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout!)) {
    lines.push(line);
    if (line.startsWith("pulumi config set --secret")) break;
  }
  return { child, lines, url: lines[0]?.replace("emulator listening on ", "") ?? "" };
}

describe("dataplatform", () => {
  test.each([
    [[], 1, /^Usage/, /^$/],
    [["--version"], 0, /^\d+\.\d+\.\d+(-\w+)?\n$/, /^$/],
    [["dirft"], 1, /^$/, /unknown command "dirft"; did you mean drift\?/],
    [["doctor", "--stak", "dev"], 1, /^$/, /unknown option --stak; did you mean --stack\?/],
    [
      ["export", "--out", "x"],
      1,
      /^$/,
      /^dataplatform: unknown option --out\nUsage: dataplatform export .*\nRun .*\n$/,
    ],
    [["coverage"], 1, /^$/, /unknown command "coverage"; did you mean drift --coverage\?/],
    [["fly"], 1, /^$/, /unknown command "fly"/],
    [["constructor"], 1, /^$/, /unknown command/],
  ])("%j exits with %i", (args, code, stdout, stderr) => {
    const result = run(...args);
    expect(result.stdout).toMatch(stdout);
    expect(result.stderr).toMatch(stderr);
    expect(result.stderr).not.toMatch(/\n\s+at /);
    expect(result.status).toBe(code);
  });

  test.each([
    [["--port", "http"], /not a port number/],
    [["--port", "70000"], /not a port number/],
    [["--reading", "policyView=sideways"], /policyView is one of wrapped, .*array/],
    [["--reading", "wings"], /use name=value, where name is one of .*policyView/],
    [["--seed", "/nowhere/seed.json"], /cannot read the seed/],
    [["--port", "0", "--seed", wrongSeed], /the seed is not valid[\s\S]*accounts/],
    [["snapshot"], /use one of save, load, list, delete/],
    [["snapshot", "save"], /snapshot save needs one name/],
    [["snapshot", "list", "x"], /takes no name/],
    [["snapshot", "list", "--url", "4010"], /use the address/],
    [["snapshot", "list", "--url", "http://127.0.0.1:1"], /no emulator answers at .*--url/],
  ])("emulator %j is refused", async (args, stderr) => {
    expect(await inside(emulator, args)).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(stderr) });
  });
});

describe("dataplatform emulator", () => {
  const examples = ["", "environment/", "quickstart/", "template/"].map((folder) => `examples/${folder}README.md`);
  test("prints its address, its tokens, and its settings as lines to paste, which the pages show; stops cleanly", async () => {
    const { child, url, lines } = await start();
    expect(lines[0]).toMatch(/^emulator listening on http:\/\/127\.0\.0\.1:\d+$/);
    expect(lines.slice(1, 4)).toEqual([
      "admin token: analytics-admin",
      "user token: analytics-user",
      "powerless token: analytics-powerless",
    ]);
    expect(lines.slice(-7)).toEqual([
      "Paste this into the terminal in which you run pulumi:",
      `export DATAPLATFORM_BASE_URL=${url}`,
      "export DATAPLATFORM_API_TOKEN=analytics-admin",
      "",
      "Or store it in the stack's configuration:",
      `pulumi config set dataplatform:baseUrl ${url}`,
      "pulumi config set --secret dataplatform:apiToken analytics-admin",
    ]);
    const settings = lines.filter((line) => /^(export|pulumi config set) /.test(line));
    for (const page of ["README.md", "docs/emulator.md", ...examples]) expectShown(settings, page, url);
    const status = async (path: string) => (await send(url, "analytics-admin", { method: "GET", path })).status;
    expect([await status("/api/v1.2/account"), await status("/api/v1.2/groups")]).toEqual([200, 404]);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  test("snapshot saves, lists, loads and deletes on a running emulator", async () => {
    const { url } = await start();
    const snapshot = (...args: string[]) => inside(emulator, ["snapshot", ...args, "--url", url]);
    expect((await snapshot("save", "before")).stdout).toBe("saved snapshot before\n");
    expect((await addAddress(url, "192.0.2.1")).status).toBe(200);
    expect((await snapshot("load", "before")).stdout).toBe("loaded snapshot before\n");
    const list = await send(url, "analytics-admin", { method: "GET", path: "/api/v1.2/whitelist_ip" });
    expect(JSON.stringify(list.body)).not.toContain("192.0.2.1");
    expect((await snapshot("list")).stdout).toMatch(/^before +\d{4}-\d\d-\d\dT\S+Z\n$/);
    const unknown = { code: 1, stderr: expect.stringContaining("there are before") };
    expect(await snapshot("load", "other")).toMatchObject(unknown);
    expect((await snapshot("delete", "before")).code).toBe(0);
    expect(await snapshot("list")).toMatchObject({ code: 0, stdout: "" });
  });

  test("with extended operations, which it serves, the lines to paste turn them on", async () => {
    const profile = join(folder, "profile.json");
    writeFileSync(profile, JSON.stringify({ format: 1, readings: {}, extended: ["groups.list"] }));
    for (const args of [["--extended"], ["--profile", profile]]) {
      const { lines, url } = await start(...args);
      expect(lines).toContain("export DATAPLATFORM_EXTENDED_API=true");
      expect(lines).toContain("pulumi config set dataplatform:extendedApi true");
      expect((await send(url, "analytics-admin", { method: "GET", path: "/api/v1.2/groups" })).status).toBe(200);
    }
  });

  test.each([
    [["groups.list"], "The emulator serves them, since the platform has other extended operations"],
    [[], "The emulator does not serve them; --extended would"],
  ])("with a profile that has %j, says what the profile leaves open", async (extended, text) => {
    const profile = join(folder, "open.json");
    const open = { extended: { "groups.create": "not tried: it writes; needs --write" } };
    writeFileSync(profile, JSON.stringify({ format: 1, readings: {}, extended, open }));
    const { lines } = await start("--profile", profile);
    expect(lines).toContain(`the profile does not say whether the platform has groups.create: not tried. ${text}`);
  });

  test("--seed uses the file; a token that a shell would misread is quoted", async () => {
    const seed = join(folder, "odd-token.json");
    const user = { id: 1, user_id: 1, alias: "root", email: "r@example.com", token: "it's $HOME" };
    writeFileSync(seed, JSON.stringify({ accounts: [{ id: 5, name: "Own", users: [user] }] }));
    const { url, lines } = await start("--seed", seed);
    expect(lines[1]).toBe("root token: it's $HOME");
    const pasted = `${lines.filter((line) => line.startsWith("export ")).join("\n")}\nenv`;
    const { stdout } = spawnSync("sh", ["-c", pasted], { encoding: "utf8" });
    expect(stdout).toContain(`DATAPLATFORM_BASE_URL=${url}\n`);
    expect(stdout).toContain("DATAPLATFORM_API_TOKEN=it's $HOME\n");
  });

  test("acknowledged changes survive kill -9", async () => {
    const data = join(folder, "state.jsonl");
    const answered: string[] = [];
    for (const round of [0, 1, 2]) {
      const { child, url } = await start("--data", data);
      const gone = once(child, "exit");
      const last = answered.length + 40 + round * 25;
      const writer = async (lane: number) => {
        for (let index = 0; ; index += 1) {
          const ip_cidr = `10.${round * 10 + lane}.${index >> 8}.${index & 255}`;
          const { status } = await addAddress(url, ip_cidr);
          if (status === 200) answered.push(ip_cidr);
          if (answered.length === last) child.kill("SIGKILL");
        }
      };
      await Promise.allSettled([0, 1, 2, 3].map(writer));
      await gone;
    }
    const { url } = await start("--data", data);
    const { body } = await send(url, "analytics-admin", { method: "GET", path: "/api/v1.2/whitelist_ip" });
    const kept = new Set(body.account_whitelisted_ips.map((entry: { ip_cidr: string }) => entry.ip_cidr));
    expect(answered.length).toBeGreaterThanOrEqual(40 + 65 + 90);
    expect(answered.filter((address) => !kept.has(address))).toEqual([]);
  });
});

/** An emulator whose files cannot grow beyond 32 KiB: a process limit simulates a full disk. */
async function startLimited(data: string): Promise<{ child: ChildProcess; url: string; said: string[] }> {
  const command = `trap '' XFSZ; ulimit -S -f 32; exec "$0" "$@"`;
  const limited = [process.execPath, program, "emulator", "--port", "0", "--data", data];
  const child = spawn("bash", ["-c", command, ...limited], { stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  const said: string[] = [];
  child.stderr!.on("data", (text) => said.push(String(text)));
  for await (const line of createInterface(child.stdout!))
    if (line.startsWith("emulator listening on ")) return { child, url: line.slice(22), said };
  throw new Error(`it did not start: ${said.join("")}`);
}

test("a full disk: writes fail with an explanation, reads still work, and it recovers", async () => {
  const data = join(folder, "full.jsonl");
  const { child, url, said } = await startLimited(data);
  const add = (ip_cidr: string) => addAddress(url, ip_cidr);
  const listed = async (): Promise<string[]> =>
    (await send(url, "analytics-admin", goodCalls["whitelist.list"]!)).body.account_whitelisted_ips.map(
      (entry: { ip_cidr: string }) => entry.ip_cidr,
    );

  const saved: string[] = [];
  let refused = 0;
  for (let round = 0; refused === 0 && round < 100; round += 1) {
    const addresses = Array.from({ length: 8 }, (_, lane) => `10.0.${round}.${lane}`);
    const replies = await Promise.all(addresses.map(add));
    for (const [index, { status, body }] of replies.entries())
      if (status === 200) saved.push(addresses[index]!);
      else {
        refused += 1;
        expect(status).toBe(507);
        expect(body.error.error_message).toMatch(/cannot write its data file .*EFBIG.*nothing was changed/);
      }
  }
  expect(refused).toBeGreaterThan(0);
  expect((await listed()).sort()).toEqual(saved.toSorted());
  // A single small change may still fit where eight did not: continue until not even that does.
  for (let index = 0; index < 100; index += 1) {
    if ((await add(`10.1.0.${index}`)).status === 507) break;
    saved.push(`10.1.0.${index}`);
  }
  // Requests that write nothing to disk work; all others fail, through the API or the control API.
  expect((await control(url, "POST", "/faults", { rules: [] })).status).toBe(200);
  expect((await control(url, "POST", "/reset")).status).toBe(507);
  for (let index = 0; index < 10; index += 1) expect((await add(`10.3.0.${index}`)).status).toBe(507);
  expect((await listed()).length).toBe(saved.length);

  execFileSync("prlimit", ["--pid", String(child.pid), "--fsize=unlimited:"]);
  expect((await add("10.2.0.1")).status).toBe(200);
  const after = await listed();
  expect(after.length).toBe(saved.length + 1);
  expect(saved.every((address) => after.includes(address))).toBe(true);

  child.kill("SIGKILL");
  await once(child, "close");
  // Once per outage, not per rejected request; there may be two, since single changes may fit after eight did not.
  const lines = said.join("").trim().split("\n");
  expect(lines.length).toBeLessThanOrEqual(4);
  for (const [index, line] of lines.entries())
    expect(line).toMatch(index % 2 === 0 ? /^emulator: cannot write .* fail with 507/ : /is writable again$/);
  expect(readFileSync(data, "utf8").length).toBe(statSync(data).size);
  await using again = await emulate({ data });
  expect(again.state().accounts[0]!.whitelist.map(({ ip_cidr }) => ip_cidr)).toEqual(after);
});

/** A page shows either pair of lines, or both, and no others. */
function expectShown(settings: readonly string[], page: string, url: string): void {
  const shown = readFileSync(join(root, page), "utf8")
    .split("\n")
    .map((line) =>
      line
        .trim()
        .replace(/\s+#.*/, "")
        .replace("http://127.0.0.1:4010", url),
    );
  const pairs = [settings.slice(0, 2), settings.slice(2)];
  expect(
    pairs.some((pair) => pair.every((line) => shown.includes(line))),
    page,
  ).toBe(true);
  const ours = shown.filter((line) => line.includes(url) && /^(export|pulumi config set) /.test(line));
  expect(
    ours.filter((line) => !settings.includes(line)),
    page,
  ).toEqual([]);
}
