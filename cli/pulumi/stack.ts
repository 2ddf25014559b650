import { readFileSync } from "node:fs";
import { z } from "zod";
import { urnParts } from "../../provider/core/urn";
import { projectAt, projectName } from "./project";
import { type Place, pulumi, type RunOptions, stackFlags } from "./run";

const StateResource = z.looseObject({
  urn: z.string(),
  type: z.string(),
  id: z.string().optional(),
  inputs: z.record(z.string(), z.unknown()).optional(),
  outputs: z.record(z.string(), z.unknown()).optional(),
  /** `<urn>::<id>` of the provider instance. */
  provider: z.string().optional(),
  /** Pending deletion: its replacement is in the state too. */
  delete: z.boolean().optional(),
  /** Read by the program, not managed by it. */
  external: z.boolean().optional(),
  /** False for components, which only group other resources. */
  custom: z.boolean().optional(),
  /** When the engine put it there. A replacement that is being created has that of the resource which it replaces. */
  created: z.string().optional(),
});
export type StateResource = z.output<typeof StateResource>;

/** An operation that was in flight when a run was interrupted. */
const PendingOperation = z.looseObject({
  /** `creating`, `updating`, `deleting`, `reading` or `importing`. */
  type: z.string(),
  resource: StateResource.extend({ parent: z.string().optional() }),
});
export type PendingOperation = z.output<typeof PendingOperation>;

const Exported = z.looseObject({
  deployment: z
    .looseObject({
      resources: z.array(StateResource).nullish(),
      pending_operations: z.array(PendingOperation).nullish(),
    })
    .nullish(),
});
/** Everything that an import needs. */
export type WholeExport = z.output<typeof Exported>;

const Config = z.record(
  z.string(),
  z.object({
    value: z.string().optional(),
    /** Set if the value is a list or an object, which `value` has as JSON. */
    objectValue: z.unknown().optional(),
    secret: z.boolean().optional(),
  }),
);
export type StackConfig = z.output<typeof Config>;

export interface State {
  readonly resources: readonly StateResource[];
  readonly pending: readonly PendingOperation[];
}

/** With secrets in plain text. */
export async function readExport(place: Place, options: RunOptions = {}): Promise<WholeExport> {
  const args = ["stack", "export", "--show-secrets", ...stackFlags(place)];
  return parseOutput("pulumi stack export", Exported, await pulumi(args, place.cwd, options));
}

/** The same, without what only an import needs. */
export async function readState(place: Place, options: RunOptions = {}): Promise<State> {
  return stateIn(await readExport(place, options));
}

function stateIn({ deployment }: WholeExport): State {
  return { resources: deployment?.resources ?? [], pending: deployment?.pending_operations ?? [] };
}

/** A state that "pulumi stack export" has written, with or without --show-secrets. */
export function readStateFile(file: string): State {
  const fail = (why: string): Error =>
    new Error(`cannot read the state ${file}: ${why}; write it with "pulumi stack export --file ${file}"`);
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    // A parse error would quote the text, which may contain secrets.
    throw fail(error instanceof SyntaxError ? "it is not JSON" : (error as Error).message);
  }
  const { data } = Exported.safeParse(json);
  if (!data?.deployment) throw fail("it is not an exported state");
  return stateIn(data);
}

interface StackNames {
  readonly stack: string;
  readonly project: string;
}

/** As the URNs of a state name them. Undefined for an empty state. */
export function namesIn(state: readonly StateResource[]): StackNames | undefined {
  return state[0] && urnParts(state[0].urn);
}

/** As the state names them or, before the first `up`, the project file and the CLI. */
export async function namesOf(place: Place, state: readonly StateResource[]): Promise<StackNames> {
  const names = namesIn(state);
  if (names) return names;
  const folder = projectAt(place.cwd);
  return { project: (folder && projectName(folder)) ?? "", stack: await stackName(place) };
}

/** The stack's configuration, with secrets in plain text. */
export async function readConfig(place: Place): Promise<StackConfig> {
  const text = await pulumi(["config", "--show-secrets", "--json", ...stackFlags(place)], place.cwd);
  return parseOutput("pulumi config", Config, text);
}

/** The name of the stack: from `--stack`, or the selected one. */
async function stackName(place: Place): Promise<string> {
  return place.stack ?? (await pulumi(["stack", "--show-name"], place.cwd)).trim();
}

const Stacks = z.array(z.looseObject({ name: z.string() }));

/** All stacks of the project. */
export async function stackNames(cwd: string): Promise<string[]> {
  const stacks = parseOutput("pulumi stack ls", Stacks, await pulumi(["stack", "ls", "--json"], cwd));
  return stacks.map(({ name }) => name).sort();
}

/** Where the states are, such as `file://~`. */
export async function backendOf({ cwd }: Place): Promise<string> {
  const shown = await pulumi(["whoami", "--verbose", "--json"], cwd);
  return parseOutput("pulumi whoami", z.looseObject({ url: z.string() }), shown).url;
}

/** What a command of pulumi has printed as JSON. */
function parseOutput<T>(command: string, schema: z.ZodType<T>, text: string): T {
  // The text contains secrets, so errors must not quote it.
  const fail = (): Error =>
    new Error(`cannot parse the output of "${command}"; run "dataplatform doctor" to check the Pulumi version`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw fail();
  }
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw fail();
  return parsed.data;
}

export function nameOf(urn: string): string {
  return urnParts(urn).name;
}

const History = z.array(
  z.looseObject({
    /** `update`, `refresh`, `import`, `destroy`, … */
    kind: z.string(),
    startTime: z.string(),
    result: z.string().optional(),
    resourceChanges: z.record(z.string(), z.number()).nullish(),
  }),
);

/**
 * When a refresh last changed the inputs in the state, if no `up` has succeeded since. Such inputs are what the platform
 * showed: nothing in the state remembers what the program declared.
 */
export async function refreshSinceLastUp(place: Place): Promise<string | undefined> {
  const text = await pulumi(["stack", "history", "--json", "--page-size", "100", ...stackFlags(place)], place.cwd);
  return refreshIn(parseOutput("pulumi stack history", History, text));
}

export function refreshIn(newestFirst: z.output<typeof History>): string | undefined {
  const lastUp = newestFirst.findIndex(({ kind, result }) => kind === "update" && result === "succeeded");
  const since = lastUp < 0 ? newestFirst : newestFirst.slice(0, lastUp);
  // Outputs that change by themselves, such as the progress of a command, count as "same".
  return since.find(({ kind, resourceChanges }) => {
    const { update = 0, delete: gone = 0 } = resourceChanges ?? {};
    return kind === "refresh" && update + gone > 0;
  })?.startTime;
}
