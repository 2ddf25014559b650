import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, expect, test } from "vitest";
import { addAddress, control, emulate, goodCalls, send } from "../../fast/emulator/calls";
import { root } from "../../harness/engine";
import { testFolder } from "../../harness/folders";

const folder = testFolder();
let child: ChildProcess | undefined;

afterAll(() => void child?.kill("SIGKILL"));

/** An emulator whose files cannot grow beyond 32 KiB: a process limit simulates a full disk. */
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

test("a full disk: writes fail with an explanation, reads still work, and it recovers", async () => {
  const data = join(folder, "state.jsonl");
  const { url, said } = await startLimited(data);
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

  execFileSync("prlimit", ["--pid", String(child!.pid), "--fsize=unlimited:"]);
  expect((await add("10.2.0.1")).status).toBe(200);
  const after = await listed();
  expect(after.length).toBe(saved.length + 1);
  expect(saved.every((address) => after.includes(address))).toBe(true);

  child!.kill("SIGKILL");
  await once(child!, "close");
  // Once per outage, not per rejected request; there may be two, since single changes may fit after eight did not.
  const lines = said.join("").trim().split("\n");
  expect(lines.length).toBeLessThanOrEqual(4);
  for (const [index, line] of lines.entries())
    expect(line).toMatch(index % 2 === 0 ? /^emulator: cannot write .* fail with 507/ : /is writable again$/);
  expect(readFileSync(data, "utf8").length).toBe(statSync(data).size);
  await using again = await emulate({ data });
  expect(again.state().accounts[0]!.whitelist.map(({ ip_cidr }) => ip_cidr)).toEqual(after);
});
