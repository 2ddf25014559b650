import { type Answer, missing, ok } from "../../answers";
import { type Call, needs, type Operation } from "../../operation";
import { Parameters } from "../../parameters";
import { folderAt, record } from "../folders";

const types = ["notes", "notebook_dashboards", "jupyter_notebooks"] as const;

function parametersOf(call: Call): Parameters {
  const way = call.world.switches.folderPolicySource;
  const source = way === "body" ? call.body : way === "query" ? call.query : { ...call.query, ...call.body };
  return new Parameters(call.world.switches, source);
}

function none(call: Call): Answer {
  switch (call.world.switches.folderPolicyNone) {
    case "{}":
      return ok({});
    case "null":
      return ok(null);
    case "empty body":
      return { status: 200 };
    case "missing":
      throw missing("the folder has no policy");
    case "policy null":
      return ok({ policy: null });
    default:
      return ok([]);
  }
}

function viewPolicy(call: Call): Answer {
  const { world } = call;
  const parameters = parametersOf(call).only("location", "source_type", "type", "name").needs("location");
  parameters.mayNeed(["source_type", "type"]).oneOf("source_type", ["Folder"]);
  if (world.switches.folderPolicyViewName === "needed") parameters.needs("name");
  const folder = folderAt(call, parameters.text("location") ?? "", parameters.oneOf("type", types));
  const { policy } = folder;
  if (policy === null) return none(call);
  const text = JSON.stringify(policy);
  switch (world.switches.folderPolicyView) {
    case "JSON text":
      return ok(text);
    case "under policy":
      return ok({ policy });
    case "under policy as text":
      return ok({ policy: text });
    case "with the folder's fields":
      return ok({ ...record(folder), source_type: "Folder", policy });
    case "under folder_policy":
      return ok({ folder_policy: { policy } });
    default:
      return ok(policy);
  }
}

export const folderOperations: readonly Operation[] = [
  {
    name: "folders.viewPolicy",
    method: "GET",
    paths: ["/api/v1.2/folders/policy"],
    need: needs.submitCommand,
    run: viewPolicy,
  },
];
