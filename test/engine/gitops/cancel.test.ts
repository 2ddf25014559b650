import { spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { root } from "../../harness/engine";
import { ownFolder } from "../../harness/folders";

/* A terminal sends its signal to a whole process group, and npx passes it on: the engine would take the second for "at once". */
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
  const ctrlC = async () => {
    process.kill(-job.pid!, "SIGINT");
    await sleep(100);
    process.kill(job.pid!, "SIGINT");
  };
  await ctrlC();
  await sleep(1500);
  expect(said()).toBe("begun asked ");
  await ctrlC();
  const code = await new Promise((resolve) => job.on("exit", resolve));
  expect([code, said()]).toEqual([0, "begun asked asked ended"]);
});
