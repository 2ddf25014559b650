import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { accountOf, ownEmulator } from "../../harness/emulators";
import { root } from "../../harness/engine";
import { ownFolder } from "../../harness/folders";

/** A terminal sends its signal to a whole process group, and npx passes it on. */
async function ctrlC(job: ChildProcess): Promise<void> {
  process.kill(-job.pid!, "SIGINT");
  await sleep(100);
  process.kill(job.pid!, "SIGINT");
}

const ended = (job: ChildProcess) => new Promise((resolve) => job.on("close", resolve));

test("one Ctrl-C reaches pulumi once, a later one too", async () => {
  const folder = ownFolder();
  const [log, fake] = [join(folder, "log"), join(folder, "pulumi")];
  // In place of the engine, which tells nobody how often it was asked.
  writeFileSync(
    fake,
    `#!${process.execPath}
const say = (line) => require("node:fs").appendFileSync(${JSON.stringify(log)}, line);
process.on("SIGINT", () => say("asked "));
say("begun ");
setTimeout(() => say("ended"), 5000);
`,
  );
  chmodSync(fake, 0o755);
  const job = spawn(
    process.execPath,
    [
      "-e",
      `const run = require(${JSON.stringify(`${root}dist/cli/pipeline/run.js`)}); run.endInOrder(); run.pulumi(["up"], "git")`,
    ],
    { cwd: ownFolder(), detached: true, env: { PATH: folder }, stdio: "ignore" },
  );
  const said = () => (existsSync(log) ? readFileSync(log, "utf8") : "");
  while (!said() && job.exitCode === null) await sleep(50);
  await ctrlC(job);
  await sleep(1500);
  expect(said()).toBe("begun asked ");
  const end = ended(job);
  await ctrlC(job);
  expect([await end, said()]).toEqual([0, "begun asked asked ended"]);
});

test("one Ctrl-C lets conform remove what it has created", async () => {
  const emulator = await ownEmulator({ extended: true });
  const before = accountOf(emulator).whitelist;
  emulator.setFaults({ rules: [{ operation: "whitelist.delete", kind: "latency", latencyMs: 500 }] });
  const args = ["conform", "--write", "--account", "1001", "--yes", "--skip", "commands"];
  const job = spawn(process.execPath, [`${root}dist/cli/main.js`, ...args], {
    cwd: ownFolder(),
    detached: true,
    env: { DATAPLATFORM_BASE_URL: emulator.url, DATAPLATFORM_API_TOKEN: emulator.tokens["admin"] },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  job.stderr!.on("data", (text) => {
    said += text;
  });
  const end = ended(job);
  while (!emulator.requests().counts["whitelist.delete"] && job.exitCode === null) await sleep(20);
  await ctrlC(job);
  expect(await end, said).toBe(1);
  expect(said).toContain("stopped; everything that was created is removed");
  expect(accountOf(emulator).whitelist).toEqual(before);
});
