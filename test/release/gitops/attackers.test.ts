import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect } from "vitest";
import { addressesOf, sharedEmulator } from "../../harness/emulators";
import { testFolder } from "../../harness/folders";
import { listen } from "../../harness/http";
import { expectOk, story } from "../../harness/stacks";
import { hiding, keys, sharedTeam, singles, unchanged } from "../../harness/team";

/* Who can push a branch, and who can write to the backend, on the real engine. test/fast/pipeline has the rest. */

const emulator = sharedEmulator();
const team = sharedTeam(emulator);

const addresses = () => addressesOf(emulator);
const file = () => join(team.folder, "state/.pulumi/stacks/platform/dev.json");
const inState = (name: string) => {
  const { checkpoint } = JSON.parse(readFileSync(file(), "utf8")) as {
    checkpoint: { latest: { resources: { urn: string; external?: boolean; protect?: boolean }[] } };
  };
  return checkpoint.latest.resources.find(({ urn }) => urn.endsWith(`::${name}`));
};

/**
 * Its notebook is protected, and another one, which nothing manages, is only read. With two secrets that nobody has to
 * approve: they are secrets of the platform.
 */
const notebook = /new (dataplatform\.ObjectPolicy)\("notebook", (\{[\s\S]*?\n\})\);/;
const read = 'dataplatform.ObjectPolicy.get("other", "note/502");\n';
const stores = `${singles.replace(notebook, 'new $1("notebook", $2, { protect: true });')}
for (const name of ["sales", "stock"])
  new dataplatform.DataStore(name, { dbHost: "db.example.com", dbName: name, dbPasswd: pulumi.secret(name + "-password") });
${read}`;
/** It declares what was only read, and an address. */
const next = stores.replace(
  read,
  `new dataplatform.ObjectPolicy("other", { sourceType: "note", sourceId: "502", policy: [] }, { protect: true });
new dataplatform.WhitelistedIp("front", { ipCidr: "198.51.100.20" });
`,
);

const chapter = story();

/** What an honest preview wrote, with secrets. */
const honest = testFolder();

chapter(
  "the program of a branch finds neither the backend nor a key, and is judged by its plan, from which nothing is hidden unasked",
  async () => {
    const thief = `
import { readFileSync, writeFileSync } from "node:fs";
const of = (pid: string | number) => readFileSync(\`/proc/\${pid}/environ\`, "utf8");
const parent = (pid: string | number) => /^PPid:\\s+(\\d+)/m.exec(readFileSync(\`/proc/\${pid}/status\`, "utf8"))![1]!;
let [pid, all] = ["self" as string, ""];
for (let depth = 0; depth < 5; depth++) { try { all += of(pid); } catch {} pid = parent(pid); }
writeFileSync("stolen.txt", process.platform === "linux" ? all : JSON.stringify(process.env));
${hiding}`;
    team.propose("thief", (config) => config.replace("office: 203.0.113.7", "office: 0.0.0.0/0"), {
      "index.ts": thief,
    });
    let stolen = "";
    const before = readFileSync(file(), "utf8");
    const preview = await team.preview("thief", {
      between: ({ head, previewed }) => {
        stolen = readFileSync(join(head, "stolen.txt"), "utf8");
        cpSync(previewed, honest, { recursive: true });
        // It shares a job with the plan, so it can write another one than it has made.
        const plan = join(previewed, "plan.json");
        writeFileSync(plan, readFileSync(plan, "utf8").replaceAll('"pyarrow"', '"stealer"'));
      },
    });
    expect(preview.code, preview.stdout + preview.stderr).toBe(1);
    expect(preview.report).toMatch(/`packages`: .*stealer/);
    // An address that the program marks as secret is judged all the same.
    expect(preview.report).toMatch(/- mandatory whole-internet: WhitelistedIp office: ipCidr is 0\.0\.0\.0\/0/);
    expect(preview.report).toMatch(/- hidden: ipCidr of .* sets DATAPLATFORM_APPROVED_RULES to \w{32}/);
    expect(preview.report).toContain("`ipCidr`: `[secret]`");
    expect(readFileSync(join(honest, "plan.json"), "utf8")).toContain("ciphertext");
    expect(stolen).toContain("DATAPLATFORM_API_TOKEN=");
    // What the processes of the pipeline hold, whichever of them is looked at; the test's own comes after them.
    const pipeline = stolen.split("VITEST")[0]!;
    expect(pipeline).toMatch(/PULUMI_BACKEND_URL=file:\/\/\S*dataplatform-pipeline-/);
    expect(pipeline).not.toContain(join(team.folder, "state"));
    expect(pipeline).not.toContain(keys.signing);
    expect(pipeline).not.toContain("GITHUB_TOKEN");
    expect(readFileSync(file(), "utf8")).toBe(before);
  },
);

chapter("a change that names another key service has no request sent there, signed by the job that seals", async () => {
  let [isSealing, requests] = [false, 0];
  const service = createServer((_, response) => {
    if (isSealing) requests++;
    response.writeHead(400).end("{}");
  });
  const address = await listen(service);
  const encryption = `secretsprovider: awskms://alias/x?region=eu-central-1&awssdk=v2&endpoint=${address}\nencryptedkey: AAAA`;
  team.propose("service", (config) => config.replace(/^secretsprovider:.*\nencryptedkey:.*$/m, encryption), {
    "index.ts": hiding,
  });
  const preview = await team.preview("service", {
    env: { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "key" },
    between: ({ previewed }) => {
      cpSync(honest, previewed, { recursive: true });
      isSealing = true;
    },
  });
  service.close();
  expect(preview.code).toBe(1);
  expect(preview.report).toContain("- not decrypted: the change sets another encryption");
  expect(preview.report).toContain("needs approval");
  expect(requests).toBe(0);
});

chapter("what is managed and protected cannot be let go by reading it: the engine plans no step for that", async () => {
  team.propose("stores", unchanged, { "index.ts": stores });
  await expectOk(team.preview("stores"));
  team.merge("stores");
  await expectOk(team.apply());
  expect(addresses().sort()).toEqual(["2001:db8::7", "203.0.113.7"]);
  expect(inState("other")).toMatchObject({ external: true });
  const reading = stores.replace(
    /new (dataplatform\.ObjectPolicy)\([\s\S]*?\n\}.*\);/,
    '$1.get("notebook", "note/501");',
  );
  team.propose("get", unchanged, { "index.ts": reading });
  const released =
    /- released: ObjectPolicy notebook is managed by this stack, and protected, and the plan has no step for it/;
  expect(await team.preview("get")).toMatchObject({ code: 1, report: expect.stringMatching(released) });
});

chapter("a plan that says everything twice, and each time something else, is sealed as it was judged", async () => {
  team.propose("next", (config) => config.replace("pyarrow", "polars"), { "index.ts": next });
  const preview = await team.preview("next", {
    between: ({ previewed }) => {
      const plan = join(previewed, "plan.json");
      const text = readFileSync(plan, "utf8");
      const { resourcePlans } = JSON.parse(text) as { resourcePlans: Record<string, object> };
      const shown = Object.entries(resourcePlans).filter(([urn]) => urn.endsWith("::front"));
      const hidden = JSON.stringify(Object.fromEntries(shown))
        .replaceAll("front", "back-door")
        .replaceAll(".20", ".66");
      // Our parser takes the last of the two, the engine both.
      writeFileSync(plan, text.replace("{", `{"resourcePlans":${hidden},`));
    },
  });
  expect(preview.code, preview.report).toBe(0);
  expect(preview.report).toContain("`front`");
  expect(preview.report).not.toContain("back-door");
  expect(preview.report).toMatch(
    /\| create \| `ObjectPolicy` `other` \| .*was only read until now<br>`protect`: false → true \|/,
  );
  // Nor is it there for the engine, which stops what departs from its plan (below).
  const sealed = team.forge.plan("github", team.tree("next"));
  expect(sealed).toContain("::front");
  expect(sealed).not.toMatch(/back-door|198\.51\.100\.66/);
});

chapter("a state with code of others is refused; without it, the plan is applied", async () => {
  team.merge("next");
  const good = readFileSync(file(), "utf8");
  const text = 'require(\\"pulumi-dataplatform/dynamic\\").WhitelistedIp';
  expect(good).toContain(text);
  team.editState(() => good.replaceAll(text, `${text};require('child_process').exec('evil')`));
  const foreign = /- foreign code: &#95;&#95;provider of WhitelistedIp \w+ is not the text of pulumi-dataplatform/;
  const [snapshot, applied] = [await team.preview("main"), await team.apply()];
  for (const { code, report } of [snapshot, applied])
    expect([code, report]).toEqual([1, expect.stringMatching(foreign)]);
  expect(snapshot.report).toContain("### Snapshot of `dev` refused");
  expect(applied.report).toMatch(/- stale: the stack's state was .* has changed/);
  team.editState(() => good);
  await expectOk(team.apply());
  expect(inState("other")).toMatchObject({ protect: true });
  expect(inState("other")).not.toHaveProperty("external");
});

chapter("an address that no preview can know is judged when it is known, before it is sent", async () => {
  const late = `${next}
const first = new dataplatform.WhitelistedIp("first", { ipCidr: "198.51.100.9" });
new dataplatform.WhitelistedIp("late", { ipCidr: first.id.apply(() => "0.0.0.0/0") });
`;
  team.propose("late", unchanged, { "index.ts": late });
  await expectOk(team.preview("late"));
  team.merge("late");
  const applied = await team.apply();
  expect(applied.code).toBe(1);
  expect(applied.report).toMatch(/whole-internet/);
  expect(applied.report, "a failure, and no departure from the plan").not.toContain("departed");
  expect(addresses()).toContain("198.51.100.9");
  expect(addresses()).not.toContain("0.0.0.0/0");
  // What it did until then, and how to go on.
  expect(applied.report).toContain("**Done before it failed:**\n\n- create WhitelistedIp first\n");
  expect(applied.report).toContain("**Not done:**\n\n- create WhitelistedIp late\n");
  expect(applied.stdout).toContain("The plan is used up: the state has moved. Make a new plan: `gh workflow run");
});

chapter(
  "a program that does something else when it is not a preview is stopped, and the report says where",
  async () => {
    const twoFaced = `${next}
const first = new dataplatform.WhitelistedIp("first", { ipCidr: "198.51.100.9" });
new dataplatform.WhitelistedIp("second", {
  ipCidr: pulumi.runtime.isDryRun() ? "198.51.100.10" : "198.51.100.66",
}, { dependsOn: first });
new dataplatform.WhitelistedIp("third", { ipCidr: "198.51.100.11" }, { dependsOn: first });
`;
    team.propose("two-faced", (config) => config.replace("vpn: 2001:db8::7", "vpn: 2001:db8::8"), {
      "index.ts": twoFaced,
    });
    await expectOk(team.preview("two-faced"));
    team.merge("two-faced");
    const applied = await team.apply();
    expect(applied.code).toBe(1);
    expect(applied.report).toMatch(
      /departed from its plan, and was stopped\.\*\*\n\n- WhitelistedIp second: properties changed/,
    );
    expect(applied.report).not.toContain("can be applied again");
    expect(addresses()).not.toContain("198.51.100.66");
    const [, open = ""] = applied.report.split("**Not done:**");
    expect(open).toContain("- create WhitelistedIp second\n");
    const isReplaced = addresses().includes("2001:db8::8");
    expect(/- replace WhitelistedIp vpn/.test(open.split("Signed")[0]!)).toBe(!isReplaced);
  },
);
