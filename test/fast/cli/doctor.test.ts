import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { configurationFindings } from "../../../cli/doctor/configuration";
import { type Finding, readable } from "../../../cli/doctor/finding";
import { platformFindings } from "../../../cli/doctor/platform";
import { engineFinding, nodeFinding, ownFinding } from "../../../cli/doctor/tools";
import { terminalReport } from "../../../cli/report/terminal";
import { engineVersion } from "../../../tools/engine/layout.mjs";
import { answers, freshEmulator, writesTo } from "../../harness/emulators";
import { root } from "../../harness/engine";
import { hostAt } from "../../harness/in-process";
import { newestNode, pulumiVersions } from "../../harness/versions";
import { textOf } from "./doctor-state";
import { quiet } from "./stacks";

const emulator = freshEmulator();

const byName = (findings: readonly Finding[]) =>
  Object.fromEntries(findings.map((finding) => [finding.what, textOf(finding)]));

const settingsFor = (token: string, url = emulator.url) =>
  hostAt({ url, tokens: emulator.tokens }, { token, retries: 0 }).client.settings;
const ask = (token: string, url?: string): Promise<Finding[]> =>
  platformFindings(settingsFor(token, url), quiet(), { onStack: " --stack dev" });

describe("settings", () => {
  const secret = "very-secret-token";

  test("each with its value and source; the token is masked", () => {
    const baseUrl = { value: "https://api.example.com", secret: false };
    const { findings, settings } = configurationFindings(
      { "dataplatform:baseUrl": baseUrl, "dataplatform:mode": { value: "plugin", secret: false } },
      { DATAPLATFORM_API_TOKEN: secret, DATAPLATFORM_BASE_URL: "https://other.example.com", HTTPS_PROXY: "http://p" },
    );
    expect(byName(findings)).toMatchObject({
      baseUrl: "ok: https://api.example.com, from the stack configuration, which overrides DATAPLATFORM_BASE_URL",
      apiToken: "ok: [secret], from DATAPLATFORM_API_TOKEN",
      retries: "info: 5, the default",
      mode: "ok: plugin, from the stack configuration",
      proxy: expect.stringMatching(/^info: HTTPS_PROXY is set/),
    });
    expect(settings?.baseUrl).toBe("https://api.example.com");
    expect(JSON.stringify(findings)).not.toContain(secret);
  });

  test("the mode, where the program says none: only Node has two", () => {
    expect(byName(configurationFindings({}, {}).findings)["mode"]).toBe("info: dynamic, the default");
    const { findings } = configurationFindings({}, {}, "", "analytics", "python");
    expect(byName(findings)["mode"]).toBe("info: plugin, the only one for python");
  });

  test("an unencrypted token, an unknown mode and an unknown key", () => {
    const baseURL = "https://api.example.com";
    const config = { apiToken: secret, mode: "turbo", baseURL, retrys: "3", colour: "blue", token: "t" };
    const given = Object.entries(config).map(([name, value]) => [`dataplatform:${name}`, { value, secret: false }]);
    const { findings } = configurationFindings(Object.fromEntries(given), {});
    const typo = (key: string, meant: string) =>
      `warning: is not a setting of the provider, which ignores it; did you mean dataplatform:${meant}? | pulumi config rm dataplatform:${key}   # and set dataplatform:${meant}`;
    expect(byName(findings)).toMatchObject({
      apiToken: expect.stringMatching(/^warning: \[secret\].* plain text: anyone.* \| .* --secret \S+:apiToken {3}#/),
      baseUrl: expect.stringMatching(/^problem: not set.* \| pulumi config set dataplatform:baseUrl/),
      mode: expect.stringMatching(/^problem: "turbo" is not a mode; use dynamic or plugin \| pulumi config set/),
      "dataplatform:baseURL": typo("baseURL", "baseUrl"),
      "dataplatform:retrys": typo("retrys", "retries"),
      "dataplatform:token": typo("token", "apiToken"),
      "dataplatform:colour": expect.stringMatching(/^warning: is not a setting of the provider, which ignores it \| /),
    });
    expect(JSON.stringify(findings)).not.toContain(secret);
  });

  test("a plain-text token works: the settings are complete, without a problem", () => {
    const baseUrl = { value: "https://api.example.com" };
    const config = { "dataplatform:apiToken": { value: secret }, "dataplatform:baseUrl": baseUrl };
    const { findings, settings } = configurationFindings(config, {}, " --stack prod");
    expect(settings?.apiToken).toBe(secret);
    expect(findings.filter(({ verdict }) => verdict === "problem")).toEqual([]);
    expect(byName(findings)["apiToken"]).toContain(" | pulumi config set --secret dataplatform:apiToken --stack prod ");
  });

  test("without a stack the fix sets a variable; an invalid value is reported without its password", () => {
    const unset = configurationFindings(undefined, {}).findings;
    expect(byName(unset)["apiToken"]).toMatch(/\| export DATAPLATFORM_API_TOKEN=…$/);
    const env = { DATAPLATFORM_BASE_URL: "https://me:hidden@api.example.com", DATAPLATFORM_API_TOKEN: "x" };
    const { findings, settings } = configurationFindings(undefined, env);
    expect(settings).toBeUndefined();
    expect(byName(findings.slice(-1))["baseUrl"]).toMatch(/^problem: .*user name/);
    expect(JSON.stringify(findings)).not.toContain("hidden");
    const wrong = { ...env, DATAPLATFORM_BASE_URL: "https://api.example.com", DATAPLATFORM_RETRIES: "many" };
    const { findings: found } = configurationFindings({}, wrong);
    expect(found.at(-1)).toMatchObject({ what: "retries", fix: "export DATAPLATFORM_RETRIES=…" });
  });
});

describe("the platform", () => {
  test("a token with all permissions", async () => {
    const findings = await ask("admin");
    expect(findings.map(({ verdict }) => verdict)).toEqual(Array.from({ length: 10 }, () => "ok"));
    expect(byName(findings)["token"]).toBe("ok: accepted by the platform; it belongs to account 1001 (Analytics)");
    expect(writesTo(emulator)).toEqual([]);
    // Without permission to view the account, records reveal it.
    answers(emulator, "account.view", 403, "no");
    expect(byName(await ask("otherAdmin"))["token"]).toBe("ok: accepted by the platform; it belongs to account 1002");
  });

  test("names what a token may not read, and what would allow it", async () => {
    const findings = byName(await ask("user"));
    expect(findings).toMatchObject({
      whitelist: "ok: may list the whitelisted IPs",
      "object policies": expect.stringMatching(/^ok/),
    });
    const add = "add the token's user to system-admin, or to a group with a role that allows viewing Hive tables";
    expect(findings["Hive tables"]).toBe(`warning: may not list the Hive tables | ${add}`);
    const powerless = await ask("powerless");
    expect(powerless.filter(({ area, verdict }) => area === "Permissions" && verdict === "warning")).toHaveLength(8);
    expect(byName(powerless)["token"]).toMatch(/^problem: may read nothing at all: .*403.* \| check that the account/);
  });

  test("a token of another account than the settings name", async () => {
    const findings = await platformFindings({ ...settingsFor("admin"), accountId: "1002" }, quiet());
    expect(byName(findings)["token"]).toMatch(
      /^problem: belongs to account 1001 \(Analytics\), but accountId is 1002: .* \| use a token of account 1002/,
    );
  });

  test("an invalid token", async () => {
    const findings = await ask("not-a-token");
    const rejected = /^problem: rejected by the platform.*\| .* set --secret dataplatform:apiToken --stack dev /;
    const [answers, token] = [expect.stringMatching(/^ok/), expect.stringMatching(rejected)];
    expect(byName(findings)).toEqual({ answers, token });
    expect(JSON.stringify(findings)).not.toContain("not-a-token");
  });

  test.each([
    ["an address without a listener", () => "http://127.0.0.1:9", [], /cannot reach/],
    ["a wrong path", () => `${emulator.url}/wrong`, [], /404/],
    ["a page of another site", () => emulator.url, [{ kind: "html" as const }], /not JSON/],
  ])("%s", async (_, url, rules, says) => {
    emulator.setFaults({ rules });
    const findings = await ask("admin", url());
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ what: "answers", verdict: "problem", fix: expect.stringMatching(/^curl/) });
    expect(findings[0]!.says).toMatch(says);
  });

  const inConfig = (url: string) => `pulumi config set dataplatform:baseUrl ${url} --stack dev`;
  test.each([
    ["/api", "stack", inConfig],
    ["/api/", "stack", inConfig],
    ["/api/v1.2", "stack", inConfig],
    ["/api/latest", "stack", inConfig],
    ["/api/v2/", "environment", (url: string) => `export DATAPLATFORM_BASE_URL=${url}`],
  ])("a base URL that ends with %s, from the %s: the exact command that fixes it", async (path, source, fix) => {
    const baseUrl = `${emulator.url}${path}`;
    const token = { DATAPLATFORM_API_TOKEN: emulator.tokens["admin"]!, DATAPLATFORM_RETRIES: "0" };
    const configured =
      source === "stack"
        ? configurationFindings({ "dataplatform:baseUrl": { value: baseUrl } }, token, " --stack dev")
        : configurationFindings({}, { ...token, DATAPLATFORM_BASE_URL: baseUrl }, " --stack dev");
    const asked = configured.settings ? await platformFindings(configured.settings, quiet(), configured) : [];
    const reported = [...configured.findings, ...asked].filter((finding) => finding.fix === fix(emulator.url));
    // If the provider strips the path, this works and is only a warning.
    const verdict = configured.settings?.baseUrl === emulator.url ? "warning" : "problem";
    expect(reported).toMatchObject([{ verdict, says: expect.stringMatching(/ends with the API path/) }]);
  });

  test("a platform that does not serve the doubled path", async () => {
    const settings = { ...settingsFor("admin"), baseUrl: `${emulator.url}/api` };
    const findings = await platformFindings(settings, quiet(), { apiPathFix: "the command" });
    expect(findings).toMatchObject([{ what: "answers", verdict: "problem", fix: "the command" }]);
    expect(findings[0]!.says).toMatch(/ends with the API path.*404/);
  });

  test("a failing operation is reported, and the others are still tried", async () => {
    emulator.setFaults({ rules: [{ operation: "hive.list", kind: "500" }] });
    const findings = byName(await ask("admin"));
    expect(findings["Hive tables"]).toMatch(/^warning: .*500.*\| run this again/);
    expect(findings["command history"]).toMatch(/^ok/);
  });
});

describe("tools", () => {
  test.each([
    ["Node", nodeFinding, { "18.20.0": false, "20.9.9": false, "20.18.0": true, "22.0.0": true }, /nvm install/],
    ["Pulumi", engineFinding, { "3": false, "3.149.9": false, "3.150.0": true, "3.259.0-alpha.1": true }, /curl/],
  ])("%s is recent enough, or a problem with its fix", (_, finding, versions, fix) => {
    for (const [version, isEnough] of Object.entries(versions)) {
      const says = expect.stringContaining("is too old");
      const tooOld = { verdict: "problem", says, fix: expect.stringMatching(fix) };
      expect(finding(version), version).toMatchObject(isEnough ? { verdict: "ok" } : tooOld);
    }
  });

  test("the page about installation names the versions that doctor, package.json and the suite name", () => {
    const read = (name: string) => readFileSync(join(root, name), "utf8");
    const { engines, peerDependencies, devDependencies } = JSON.parse(read("package.json"));
    const { oldest, newest } = pulumiVersions;
    const node = engines.node.replace(">=", "");
    expect(nodeFinding(`${node}.0`).verdict).toBe("ok");
    expect(peerDependencies["@pulumi/pulumi"]).toBe(`^${oldest}`);
    const table = [
      `| Pulumi CLI | 3.150 or later | ${engineVersion} |`,
      `| \`pulumi\` of Python | 3.231 or later, as the generated SDK asks | ${engineVersion} |`,
      `| Go | ${/^go (1\.\d+)/m.exec(read("tools/engine/cli/go.mod"))![1]} or later |`,
      `| \`@pulumi/pulumi\` | ${oldest.replace(/\.0$/, "")} or later | ${oldest}, ${devDependencies["@pulumi/pulumi"]}, ${newest} |`,
      `| Node | ${node} or later | 20, ${newestNode.split(".")[0]} |`,
    ];
    const page = read("docs/installation-configuration.md");
    expect(table.filter((row) => !page.includes(row))).toEqual([]);
  });

  test("the package is installed from its file: its name in a registry may be somebody else's", () => {
    expect(ownFinding("1.2.3", undefined).fix).toMatch(
      /^npm pack --ignore-scripts \S+ && npm install \.\/pulumi-dataplatform-\d+\.\d+\.\d+\S*\.tgz /,
    );
    const texts = ["cli", "docs", "examples", "policies", "provider"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => /\.(ts|md|mjs|yml|yaml)$/.test(name) && !name.includes("node_modules"))
        .map((name) => join(root, folder, name)),
    );
    const naming = [join(root, "README.md"), ...texts].filter((file) =>
      /npm (install|i|add) (\S+ )*pulumi-dataplatform(?![\w./-])|npx dataplatform/.test(readFileSync(file, "utf8")),
    );
    expect(naming).toEqual([]);
  });
});

test("the report has colours on a terminal", () => {
  const finding = { area: "Tools", what: "Node", verdict: "problem", says: "old", fix: "new" } as const;
  expect(terminalReport(readable([finding]), { isTTY: true })).toContain("\x1b[31m✗ Node\x1b[39m");
  expect(terminalReport(readable([finding]), {})).toBe("Tools\n  ✗ Node  old\n      fix: new\n\n1 problem\n");
});
