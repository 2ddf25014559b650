import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ensureLanguages } from "../../../tools/engine/languages.mjs";
import { ownEmulator } from "../../harness/emulators";
import { expectOk, kindOf, ownStack } from "../../harness/stacks";

/* Functions that are not run at preview, in Python: Pulumi's own SDK would have None where a value is not known yet. */

const program = `
import pulumi
import pulumi_dataplatform as dataplatform

pages = {"db_name": "default", "hive_table": "page_views"}
office = dataplatform.WhitelistedIp("office", ip_cidr="203.0.113.9")
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
pulumi.export("text", pulumi.Output.format("{0} {1}", "after", sent.status))
pulumi.export("query", sent.command["query"].apply(lambda query: query.split()[0]))
pulumi.export("both", pulumi.Output.all(ready=checked.ready, office=office.ip_cidr))
pulumi.log.info(f"plain: {plain.ready}")
`;

describe("functions that are not run at preview, in Python", async () => {
  const { python, whyNoPython } = await ensureLanguages();
  if (!python) test("are not tried here, for a reason", () => expect(whyNoPython).toMatch(/python3|packages/));
  else
    test("have unknown results, with which a plan holds, and the preview after it", async () => {
      const emulator = await ownEmulator({ waitSeconds: 0, runSeconds: 0 });
      const stack = await ownStack(emulator, { program: "test/release/languages/yaml", env: python.env });
      const file = join(stack.folder, "Pulumi.yaml");
      const [project] = readFileSync(file, "utf8").split("\nconfig:");
      writeFileSync(file, project!.replace("runtime: yaml", "runtime: python"));
      writeFileSync(join(stack.folder, "__main__.py"), program);

      const { text } = await expectOk(stack.operate("preview", "--save-plan", "plan.json"));
      expect(text).toMatch(/both *: \[(unknown|secret)\]\s+query *: \[unknown\]\s+text *: \[unknown\]/);
      expect(text).toContain("plain: None");
      expect(text).toContain("check_partition is not run at preview");
      expect(emulator.requests(100).requests.filter(({ method }) => method !== "GET")).toEqual([]);

      await expectOk(stack.operate("up", "--yes", "--skip-preview", "--plan", "plan.json"));
      const ready = expect.any(Boolean);
      const shown = { both: { ready, office: "203.0.113.9" }, query: expect.any(String), text: "after done" };
      expect(await stack.outputs()).toEqual(shown);
      const { resources, text: state } = await stack.exportState();
      const after = resources.find(({ type }) => type.endsWith(":Command"));
      expect(after?.dependencies).toEqual([expect.stringContaining("::office")]);
      expect(state).not.toContain("ready: ");

      expect(kindOf(await expectOk(stack.preview()), "after")).toBe("replace");
    });
});
