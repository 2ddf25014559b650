import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { control, emulate, goodCalls, send } from "./calls.js";

const root = join(__dirname, "../..");
let folder: string;
let child: ChildProcess | undefined;

beforeAll(() => {
  spawnSync(process.execPath, [join(root, "tools/build.mjs")]);
  folder = mkdtempSync(join(tmpdir(), "emulator-full-"));
});
afterAll(() => {
  child?.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

/** An emulator whose files cannot grow beyond 32 KiB: the limit of the process stands for a full disk. */
async function startLimited(data: string): Promise<{ url: string; said: string[] }> {
  const command = `trap '' XFSZ; ulimit -S -f 32; exec "$0" "$@"`;
  const program = [process.execPath, join(root, "dist/cli/main.js"), "emulator", "--port", "0", "--data", data];
  child = spawn("bash", ["-c", command, ...program], { stdio: ["ignore", "pipe", "pipe"] });
  const said: string[] = [];
  child.stderr!.on("data", (text) => said.push(String(text)));
  for await (const line of createInterface(child.stdout!))
    if (line.startsWith("emulator listening on ")) return { url: line.slice(22), said };
  throw new Error(`it did not start: ${said.join("")}`);
}

test("a full disk: writing is refused and explained, reading goes on, and it recovers", async () => {
  const data = join(folder, "state.jsonl");
  const { url, said } = await startLimited(data);
  const add = (ip_cidr: string) =>
    send(url, "analytics-admin", { method: "POST", path: "/api/v1.2/whitelist_ip", body: { ip_cidr } });
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
  const full = saved.length;
  expect((await listed()).sort()).toEqual(saved.toSorted());
  // What changes nothing on the disk is served; what would, is not, whichever way it comes in.
  expect((await control(url, "POST", "/faults", { rules: [] })).status).toBe(200);
  expect((await control(url, "POST", "/reset")).status).toBe(507);
  for (let index = 0; index < 40; index += 1) if ((await add(`10.1.0.${index}`)).status === 200) saved.push("small");
  expect((await listed()).length).toBe(saved.length);
  expect(said.join("").match(/cannot write the data file/g)).toHaveLength(1);

  execFileSync("prlimit", ["--pid", String(child!.pid), "--fsize=unlimited:"]);
  expect((await add("10.2.0.1")).status).toBe(200);
  expect(said.join("")).toMatch(/refused with 507[\s\S]*can be written again/);
  const after = await listed();
  expect(after.length).toBe(saved.length + 1);
  expect(saved.slice(0, full).every((address) => after.includes(address))).toBe(true);

  child!.kill("SIGKILL");
  await once(child!, "exit");
  expect(readFileSync(data, "utf8").length).toBe(statSync(data).size);
  await using again = await emulate({ data });
  expect(again.state().accounts[0]!.whitelist.map(({ ip_cidr }) => ip_cidr)).toEqual(after);
});
