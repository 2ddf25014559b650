import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ensureLanguages } from "../../../tools/engine/languages.mjs";
import { writePluginArchives } from "../../../tools/release/plugin-archives.mjs";
import { sharedEmulator, writesTo } from "../../harness/emulators";
import { root } from "../../harness/engine";
import { testFolder } from "../../harness/folders";
import { expectOk, kindOf, sharedStack, story } from "../../harness/stacks";

/**
 * Python, as its users have it: the plugin of a release archive, and no npm package. With what the generated programs do
 * not use: a component with options, classes of arguments, enums, a function without outputs, and functions that are not
 * run at preview: Pulumi's own SDK would have None where a value is not known yet.
 */

const program = `
import pulumi
import pulumi_dataplatform as dataplatform

def shown(value):
    return f"{value} {type(value).__name__}"

note = pulumi.ResourceHook("note", lambda args: pulumi.log.info(f"the hook saw {args.name}"))
office = dataplatform.WhitelistedIp("office", ip_cidr="203.0.113.9")
number = dataplatform.GroupRoleAssignment("number", group_id=205, role="analyst")
text = dataplatform.GroupRoleAssignment("text", group_id="206", role="analyst")
blue = dataplatform.TeamEnvironment(
    "blue",
    account={"name": "blue"},
    whitelist={"addresses": ["203.0.113.7"], "way_back_in": [office.ip_cidr]},
    data_stores={"orders": {"db_host": "orders.example.com", "db_name": "orders", "db_passwd": "hidden-password"}},
    groups={"analysts": {"id": 204, "roles": ["analyst"]}},
    jobs={"load": {"table_refresh": {"db_name": "default", "hive_table": "daily_ticks"}, "wait": True}},
    opts=pulumi.ResourceOptions(
        retain_on_delete=True,
        replacement_trigger="first",
        replace_with=[office],
        hooks=pulumi.ResourceHookBinding(after_create=[note]),
    ),
)
policy = dataplatform.ObjectPolicy(
    "notebook",
    source_type=dataplatform.ObjectSourceType.NOTE,
    source_id=501,
    policy=[
        dataplatform.PolicyElementArgs(
            access=dataplatform.PolicyAccess.ALLOW,
            action=[dataplatform.PolicyAction.READ],
            condition=dataplatform.PolicyConditionArgs(svc_groups=[204]),
        )
    ],
)
pages = {"db_name": "default", "hive_table": "page_views"}
sent = dataplatform.submit_command_output(table_refresh=pages, name=pulumi.Output.concat("for ", office.id))
checked = dataplatform.check_partition_output(
    schema=pulumi.Output.secret("sales"), table="orders", opts=pulumi.InvokeOutputOptions(depends_on=office)
)
after = dataplatform.Command(
    "after",
    table_refresh=pages,
    name=pulumi.Output.concat("ready: ", checked.ready.apply(str)),
    triggers=[sent.status, "fixed"],
    tags=sent.apply(lambda result: [f"after-{result.id}"]),
)
plain = dataplatform.check_partition(schema="sales", table="orders")
pulumi.export("said", pulumi.Output.format("{0} {1}", "after", sent.status))
pulumi.export("query", sent.command["query"].apply(lambda query: query.split()[0]))
pulumi.export("both", pulumi.Output.all(ready=checked.ready, office=office.ip_cidr))
pulumi.log.info(f"plain: {plain.ready}")
pulumi.export("policy", policy.policy[0].action)
pulumi.export("tables", dataplatform.get_hive_tables(filter="daily").names)
pulumi.export("account", blue.account_id.apply(shown))
pulumi.export("groups", blue.group_ids)
pulumi.export("statuses", blue.job_statuses)
pulumi.export("owner", office.account_id.apply(shown))
pulumi.export("number", number.group_id.apply(shown))
pulumi.export("exported", number.group_id)
pulumi.export("text", text.group_id.apply(shown))
`;

describe("Python with the plugin of an archive", async () => {
  const { python, whyNoPython } = await ensureLanguages();
  if (python) lifeInPython(python.env);
  else test("is not tried here, for a reason", () => expect(whyNoPython).toMatch(/python3|packages/));
});

function lifeInPython(env: NodeJS.ProcessEnv): void {
  const folder = testFolder();
  const emulator = sharedEmulator({ waitSeconds: 0, runSeconds: 0 });
  const stack = sharedStack(emulator, {
    program: "test/release/languages/yaml",
    env: { ...env, PULUMI_IGNORE_AMBIENT_PLUGINS: "true", PULUMI_DISABLE_REGISTRY_RESOLVE: "true", NODE_OPTIONS: "" },
  });

  beforeAll(() => {
    rmSync(join(stack.folder, "node_modules"), { recursive: true });
    writeFileSync(join(stack.folder, "Pulumi.yaml"), "name: languages\nruntime: python\n");
    writeFileSync(join(stack.folder, "__main__.py"), program);
  });

  async function install(): Promise<void> {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    const names = writePluginArchives({ root, version, folder });
    const file = names.find((name) =>
      name.includes(`-${process.platform === "win32" ? "windows" : process.platform}-`),
    )!;
    const args = ["resource", "dataplatform", `v${version}`, "--file", join(folder, file)];
    const { code, stderr } = await stack.pulumi("plugin", "install", ...args);
    expect(code, stderr).toBe(0);
  }

  const chapter = story();
  chapter("what is not run at preview has unknown results, and nothing is sent", async () => {
    await install();
    const { text } = await expectOk(stack.operate("preview", "--save-plan", "plan.json"));
    for (const output of ["both", "query", "said"])
      expect(text).toMatch(new RegExp(`${output} *: \\[(unknown|secret)\\]`));
    expect(text).toContain("plain: None");
    expect(text).toContain("check_partition is not run at preview");
    expect(writesTo(emulator)).toEqual([]);
  });

  chapter(
    "the plan of that preview holds; a number is read back as a float where a property takes texts too",
    async () => {
      const up = await expectOk(stack.operate("up", "--yes", "--skip-preview", "--plan", "plan.json"));
      expect(up.text).toContain("the hook saw blue");
      expect(await stack.outputs()).toEqual({
        policy: ["read"],
        tables: ["daily_ticks"],
        account: `${emulator.state().accounts[2]!.id} str`,
        groups: { analysts: "204" },
        statuses: { load: "done" },
        owner: "1001 int",
        number: "205.0 float",
        exported: 205,
        text: "206 str",
        both: { ready: expect.any(Boolean), office: "203.0.113.9" },
        query: expect.any(String),
        said: "after done",
      });
      const { resources, text } = await stack.exportState();
      const after = resources.find(({ urn }) => urn.endsWith("::after"));
      expect(after?.dependencies).toEqual([expect.stringContaining("::office")]);
      expect(text).not.toContain("ready: ");
    },
  );

  chapter("nothing changes when nothing has changed, but for what depends on such a function", async () => {
    const preview = await expectOk(stack.preview());
    expect([Object.keys(preview.changed), kindOf(preview, "after")]).toEqual([["after"], "replace"]);
  });

  chapter(
    "the options of a component are kept, and reach the children: destroy leaves them on the platform",
    async () => {
      const { resources } = await stack.exportState();
      const blue = resources.find(({ type }) => type.endsWith(":TeamEnvironment"));
      expect(blue).toMatchObject({
        replacementTrigger: "first",
        replaceWith: [expect.stringContaining("::office")],
        resourceHooks: { AfterCreate: ["note"] },
      });
      await expectOk(stack.destroy());
      const [account] = emulator.state().accounts;
      expect(account!.dataStores.map(({ name }) => name)).toEqual(["orders"]);
      expect(account!.whitelist).toEqual([]);
    },
  );
}
