import { type Answer, answered, ok, withoutPolicy } from "../../answers";
import { type Call, needs, type Operation, operation } from "../../operation";
import { Parameters } from "../../parameters";
import { folderAt, record } from "../folders";

const types = ["notes", "notebook_dashboards", "jupyter_notebooks"] as const;

function parametersOf(call: Call): Parameters {
  const way = call.world.switches.folderPolicySource;
  const source = way === "body" ? call.body : way === "query" ? call.query : { ...call.query, ...call.body };
  return new Parameters(call.world.switches, source);
}

function viewPolicy(call: Call): Answer {
  const { world } = call;
  const parameters = parametersOf(call).only("location", "source_type", "type", "name").needs("location");
  parameters.mayNeed(["source_type", "type"]).oneOf("source_type", ["Folder"]);
  if (world.switches.folderPolicyViewName === "needed") parameters.needs("name");
  const folder = folderAt(call, parameters.text("location") ?? "", parameters.oneOf("type", types));
  const { policy } = folder;
  if (policy === null) return answered<Answer>(withoutPolicy("folder")[world.switches.folderPolicyNone]);
  const text = JSON.stringify(policy);
  return {
    list: ok(policy),
    "JSON text": ok(text),
    "under policy": ok({ policy }),
    "under policy as text": ok({ policy: text }),
    "with the folder's fields": ok({ ...record(folder), source_type: "Folder", policy }),
    "under folder_policy": ok({ folder_policy: { policy } }),
  }[world.switches.folderPolicyView];
}

export const folderOperations: readonly Operation[] = [
  operation("folders.viewPolicy", "GET /api/v1.2/folders/policy", needs.submitCommand, viewPolicy),
];
