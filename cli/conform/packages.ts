import type { Readings } from "../../emulator/readings";
import { isFields } from "../../provider/values/json";
import { type Undone, undoneUnless } from "./cleanup";
import { type Answer, idOf, recordsIn, shapeOf } from "./forms";
import type { Session } from "./session";

export async function readPackages(session: Session): Promise<void> {
  const { targets } = session;
  const answer = await session.expect("package.listEnvironments");
  if (answer) {
    const isBare = Array.isArray(answer.json);
    session.reading("package.listEnvironments", "environmentsEnvelope", isBare ? "array" : "environments");
  }
  const listed = answer && idOf(recordsIn(answer.json, "environments")[0]?.["id"]);
  const known = [...new Set([targets.environment, listed])].filter((id) => id !== undefined);
  if (known.length === 0) return session.notTried("pass --environment ID", "package.listPackages");
  for (const envId of known) {
    const list = await session.expect("package.listPackages", { path: { envId } });
    if (!list) return;
    readPackageList(session, list);
  }
}

/** What a list of packages tells; an empty one tells little. */
function readPackageList(session: Session, { json, fields }: Answer): void {
  const name = "package.listPackages";
  if (!isFields(json)) return;
  const { packages, installed_pkgs_history: history } = fields;
  if (!isFields(packages)) {
    session.note(name, `the list is ${shapeOf(json)}`);
    return;
  }
  const keys = "python" in packages ? "short" : "python_package" in packages ? "source-types" : undefined;
  session.reading(name, "packageKeys", keys);
  const forms = Object.values(packages).map(entriesForm);
  const known = forms.find((form) => form !== undefined);
  session.reading(name, "packageEntries", known);
  session.reading(name, "packageHistory", historyForm(history));
}

function entriesForm(entries: unknown): Readings["packageEntries"] | undefined {
  if (isFields(entries)) return Object.keys(entries).length > 0 ? "map" : undefined;
  const first = Array.isArray(entries) ? entries[0] : undefined;
  if (typeof first === "string") return first.includes("==") ? "text" : "names";
  if (!isFields(first)) return undefined;
  return "package_names" in first ? "requests" : "name" in first ? "objects" : undefined;
}

function historyForm(history: unknown): Readings["packageHistory"] | undefined {
  if (history === undefined) return "absent";
  if (Array.isArray(history)) return history.length === 0 ? "empty" : undefined;
  return isFields(history) ? "requests" : undefined;
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
  if (!list && !session.isLacking("package.listPackages"))
    return session.notTried(`the packages of environment ${environment} could not be listed`, ...both);
  if (list?.text.toLowerCase().includes(bare.toLowerCase()))
    return session.notTried(`environment ${environment} may have ${bare} already`, ...both);
  const body = (names: string) => ({ source_type: "python_package", package_names: names });
  const step = {
    what: `package ${bare} in environment ${environment}`,
    undo: () => removePackage(session, path, body(bare)),
  };
  const added = await session.expect("package.add", { path, body: body(name) }, step);
  if (!added) return;
  session.cleanup.stays(`the request for ${bare}, if environment ${environment} keeps a history`);
  session.notShown("package.add", added);
  const after = await session.ask("package.listPackages", { path });
  if (!after.error) readPackageList(session, after);
  const removed = await session.expect("package.remove", { path, body: body(bare) });
  if (!removed) return;
  session.cleanup.done(step);
  session.notShown("package.remove", removed);
}

/** Some platforms want the parameters in the query. */
async function removePackage(
  session: Session,
  path: { readonly envId: string },
  body: Record<string, string>,
): Promise<Undone> {
  let { error } = await session.ask("package.remove", { path, body });
  if (error) ({ error } = await session.ask("package.remove", { path, query: body }));
  return undoneUnless(error, "the removal");
}
