import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { ensureLanguages } from "../../../tools/engine/languages.mjs";
import { root } from "../../harness/engine";
import { ownFolder } from "../../harness/folders";
import { Newcomer } from "../../harness/newcomer";
import { shared } from "../../harness/shared";

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

const newcomer = shared(() => Newcomer.start());

/**
 * A folder for the PATH, with an npm that packs once for all pages, and installs the package that was packed, and beside
 * it what the set-up has installed for it in such a project. That npm itself does all of it is shown by the README's first
 * steps.
 */
function quickNpm(project: string): string {
  const folder = ownFolder();
  const script = `#!/bin/sh -e
case "$*" in
"pack --silent") ls pulumi-dataplatform-*.tgz 2> /dev/null || PATH="\${PATH#*:}" exec npm "$@" ;;
"install "*/pulumi-dataplatform-*.tgz)
  cp -R "${project}/node_modules" .
  find node_modules/pulumi-dataplatform -mindepth 1 -maxdepth 1 ! -name node_modules -exec rm -r {} +
  tar -xzf "$2" -C node_modules/pulumi-dataplatform --strip-components 1 ;;
*) PATH="\${PATH#*:}" exec npm "$@" ;;
esac
`;
  writeFileSync(join(folder, "npm"), script, { mode: 0o755 });
  return folder;
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
    newcomer.emulator.reset();
    newcomer.emulator.clearRequests();
    const page = readFileSync(join(root, `docs/quickstart-${language}.md`), "utf8");
    const PATH = [quickNpm(inject("npmProject")), env["PATH"] ?? newcomer.env["PATH"]].join(delimiter);
    await newcomer.sh(newcomer.clone.folder, newcomer.commandsIn(page), { ...env, PATH });
    const writes = newcomer.emulator.requests(1000).requests.filter(({ method }) => method !== "GET");
    expect(writes.filter(({ method }) => method === "POST").map(({ body }) => body)).toEqual([
      { ip_cidr: "203.0.113.7" },
      { ip_cidr: "203.0.113.99" },
    ]);
    expect(newcomer.addresses()).toEqual([]);
  });
});
