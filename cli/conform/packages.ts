import { isFields } from "../../provider/values/json";
import type { Answer } from "./answer";
import { undoneUnless } from "./cleanup";
import { firstOf, idOf, recordsIn, shapeOf } from "./forms";
import type { Session } from "./session";

export async function readPackages(session: Session): Promise<void> {
  const answer = await session.expect("package.listEnvironments");
  answer?.op.reading("environmentsEnvelope", Array.isArray(answer.json) ? "array" : "environments");
  const listed = answer && idOf(recordsIn(answer.json, "environments")[0]?.["id"]);
  const known = [...new Set([session.targets.environment, listed])].filter((id) => id !== undefined);
  if (known.length === 0) return session.notTried("pass --environment ID", "package.listPackages");
  for (const envId of known) {
    const list = await session.expect("package.listPackages", { path: { envId } });
    if (!list) return;
    readPackageList(list);
  }
}

/** What a list of packages tells; an empty one tells little. */
function readPackageList({ op, json, fields }: Answer): void {
  const { packages, installed_pkgs_history: history } = fields;
  if (!isFields(json)) return;
  if (!isFields(packages)) {
    op.note(`the list is ${shapeOf(json)}`);
    return;
  }
  op.reading("packageKeys", { short: "python" in packages, "source-types": "python_package" in packages });
  const forms = Object.values(packages).map(entriesForm);
  op.reading(
    "packageEntries",
    forms.find((form) => form !== undefined),
  );
  op.reading("packageHistory", {
    absent: history === undefined,
    empty: Array.isArray(history) && history.length === 0,
    requests: isFields(history),
  });
}

function entriesForm(entries: unknown) {
  const first: unknown = Array.isArray(entries) ? entries[0] : undefined;
  return firstOf({
    map: isFields(entries) && Object.keys(entries).length > 0,
    text: typeof first === "string" && first.includes("=="),
    names: typeof first === "string",
    requests: isFields(first) && "package_names" in first,
    objects: isFields(first) && "name" in first,
  });
}

export async function writePackages(session: Session): Promise<void> {
  const { environment, package: name } = session.targets;
  const both = ["package.add", "package.remove"] as const;
  if (environment === undefined || name === undefined)
    return session.notTried("pass --environment ID and --package NAME, one that it does not have", ...both);
  const bare = name.split("==")[0]!;
  const path = { envId: environment };
  const list = await session.expect("package.listPackages", { path });
  // Where packages cannot be listed at all, the user's word has to do.
  if (!list && !session.op("package.listPackages").isLacking)
    return session.notTried(`the packages of environment ${environment} could not be listed`, ...both);
  if (list?.text.toLowerCase().includes(bare.toLowerCase()))
    return session.notTried(`environment ${environment} may have ${bare} already`, ...both);
  const body = (names: string) => ({ source_type: "python_package", package_names: names });
  const step = {
    what: `package ${bare} in environment ${environment}`,
    async undo() {
      const { error: refusal } = await session.ask("package.remove", { path, body: body(bare) });
      // Some platforms want the parameters in the query.
      const again = refusal && (await session.ask("package.remove", { path, query: body(bare) }));
      return undoneUnless(again?.error, "the removal");
    },
  };
  const added = await session.expect("package.add", { path, body: body(name) }, step);
  if (!added) return;
  session.cleanup.stays(`the request for ${bare}, if environment ${environment} keeps a history`);
  added.notShown();
  const after = await session.ask("package.listPackages", { path });
  if (!after.error) readPackageList(after);
  const removed = await session.expect("package.remove", { path, body: body(bare) });
  if (!removed) return;
  session.cleanup.done(step);
  removed.notShown();
}
