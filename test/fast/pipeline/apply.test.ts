import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { apply } from "../../../cli/pipeline/apply";
import { observe } from "../../../cli/pipeline/observe";
import { type Bound, claimedId, sealPlan } from "../../../cli/pipeline/plan";
import { digestState } from "../../../cli/pipeline/state";
import { ownFolder } from "../../harness/folders";
import { eachWithCommit } from "./repository";

/* The state is read again right before the update: reading drift takes its time, and another run may end meanwhile. */

eachWithCommit({ ".gitignore": "node_modules/\n" });
let tools: string;
const state = (...names: string[]) => ({ deployment: { resources: names.map((name) => ({ urn: `urn:${name}` })) } });
const writeState = (...names: string[]) => writeFileSync(join(tools, "state.json"), JSON.stringify(state(...names)));

/** An engine that shows the state of a file, and notes that it was told to update. */
beforeEach(() => {
  tools = ownFolder();
  const script = `case "$1 $2" in
"version "*) echo v3.0.0 ;;
"stack export") cat ${tools}/state.json ;;
"stack history") cat ${tools}/history ;;
"up --yes") touch ${tools}/updated ;;
*) exit 1 ;;
esac`;
  writeFileSync(join(tools, "history"), "[]");
  writeFileSync(join(tools, "pulumi"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(tools, "pulumi"), 0o755);
  for (const name of ["pulumi-dataplatform", "@pulumi/pulumi"]) {
    mkdirSync(`node_modules/${name}`, { recursive: true });
    writeFileSync(`node_modules/${name}/package.json`, '{ "version": "1.0.0" }');
  }
  vi.stubEnv("PATH", `${tools}${delimiter}${process.env["PATH"]}`);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** Drift is a stand-in: only so does something happen at just this moment. */
async function applied(whileDriftIsRead: (id: string) => void = () => {}) {
  writeState("a");
  const facts = {
    ...(await observe("dev")),
    ...{ kind: "change", targets: [], drift: {}, deployed: null, judged: "j", state: digestState(state("a")) },
    createdAt: new Date().toISOString(),
  } as unknown as Bound;
  const text = sealPlan('{"resourcePlans":{}}', facts, undefined);
  const store = { find: async () => ({ texts: [text], passedOver: [] }), keep: vi.fn(), renew: () => "" };
  const readDrift = async () => {
    whileDriftIsRead(claimedId(text)!);
    return { differing: {}, unreadable: [], compared: 0, notShown: 0 };
  };
  return apply({ stack: "dev", id: claimedId(text)!, maxAgeHours: 1, readDrift }, store);
}

// The engine is a shell script.
describe.skipIf(process.platform === "win32")("not on Windows:", () => {
  const isUpdated = () => existsSync(join(tools, "updated"));

  test("a plan that fits is carried out; a state that moves while drift is read stops it", async () => {
    const moves = () => writeState("a", "b");
    await expect(applied(moves)).rejects.toThrow(/stale: .*: urn:b is new/);
    expect(isUpdated()).toBe(false);
    await applied();
    expect(isUpdated()).toBe(true);
  });

  test("a program in Python without its environment, which Pulumi would make from whatever is newest", async () => {
    writeFileSync("Pulumi.yaml", "name: p\nruntime: { name: python, options: { virtualenv: venv } }\n");
    writeFileSync(".git/info/exclude", "Pulumi.yaml\n");
    await expect(applied()).rejects.toThrow(/^not installed: Pulumi.yaml names venv, where there is none/);
    expect(isUpdated()).toBe(false);
  });

  test("a plan that was carried out is used, and no new one is advised", async () => {
    const moves = (id: string) => {
      writeState("a", "b");
      const message = `dataplatform pipeline: plan ${id.slice(0, 12)}, tree t, j`;
      writeFileSync(join(tools, "history"), JSON.stringify([{ message, result: "succeeded", endTime: "noon" }]));
    };
    await expect(applied(moves)).rejects.toThrow(/^used: .* at noon, so there is nothing to do$/);
  });
});
