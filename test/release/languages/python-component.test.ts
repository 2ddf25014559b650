import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ensureLanguages } from "../../../tools/engine/languages.mjs";
import { writePluginArchives } from "../../../tools/release/plugin-archives.mjs";
import { root } from "../../harness/engine";
import { expectOk, sharedStack } from "../../harness/stacks";
import { step } from "../../harness/steps";

/**
 * A component in Python, as its users have it: the plugin of a release archive, and no npm package. With what the
 * generated programs do not use: classes of arguments, enums, and a function without outputs.
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

import { sharedEmulator } from "../../harness/emulators";
import { testFolder } from "../../harness/folders";

describe("TeamEnvironment in Python, with the plugin of an archive", async () => {
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

  const up = step("up", async () => {
    await install();
    await expectOk(stack.preview());
    return expectOk(stack.up());
  });

  test("comes up, and does not change when nothing has changed", async () => {
    expect((await up()).text).toContain("the hook saw blue");
    expect((await expectOk(stack.preview())).changed).toEqual({});
  });

  test("Python reads a number back as a float where a property takes numbers and strings", async () => {
    await up();
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
    });
  });

  test("its options are kept, and reach the children: destroy leaves them on the platform", async () => {
    await up();
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
  });
}
