import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { ensureLanguages } from "../../../tools/engine/languages.mjs";
import { root } from "../../harness/engine";
import { Newcomer } from "../../harness/newcomer";

/* What each quickstart tells a newcomer to type, from the clone to nothing left on the platform, in one shell. */

/** The machine's caches, not those of the newcomer's new home: what must be there is there, and compiled. */
function goCaches(): NodeJS.ProcessEnv {
  const names = ["GOMODCACHE", "GOCACHE"];
  const values = execFileSync("go", ["env", ...names], { encoding: "utf8" })
    .trim()
    .split("\n");
  const caches = Object.fromEntries(names.map((name, index) => [name, values[index]]));
  return { ...caches, GOPROXY: "off", GOSUMDB: "off" };
}

describe("the quickstart of", async () => {
  const { go, python, whyNoPython } = await ensureLanguages();
  if (whyNoPython) process.stderr.write(`test/release/languages: Python is not tried, because ${whyNoPython}\n`);
  const languages: Record<string, NodeJS.ProcessEnv> = {
    typescript: {},
    yaml: {},
    go: { ...go.env, ...goCaches() },
    // The page's own virtual environment, and no other. Its SDK is written by a tool in Go.
    ...(python && { python: { ...goCaches(), PIP_NO_INDEX: "1", PIP_FIND_LINKS: python.wheels } }),
  };

  test.each(Object.entries(languages))("%s leads from a clone to a changed resource", async (language, env) => {
    expect(inject("npmProject")).toBeDefined();
    const newcomer = await Newcomer.start(env);
    onTestFinished(() => newcomer.leave());
    const page = readFileSync(join(root, `docs/quickstart-${language}.md`), "utf8");
    await newcomer.sh(newcomer.clone.folder, newcomer.commandsIn(page));
    const writes = newcomer.emulator.requests(1000).requests.filter(({ method }) => method !== "GET");
    expect(writes.filter(({ method }) => method === "POST").map(({ body }) => body)).toEqual([
      { ip_cidr: "203.0.113.7" },
      { ip_cidr: "203.0.113.99" },
    ]);
    expect(newcomer.addresses()).toEqual([]);
  });
});
