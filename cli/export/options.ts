import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { oneOf, UsageError } from "../errors";
import { objectIn } from "../platform/named";
import { type ObjectName, type Part, parts } from "./read";

/** An object whose policy is exported. */
export interface WantedObject extends ObjectName {
  /** The label of its account; undefined if there is only one. */
  readonly account: string | undefined;
}

export interface Options {
  readonly folder: string;
  readonly objects: readonly WantedObject[];
  readonly skip: readonly Part[];
  readonly name: string | undefined;
  readonly cwd: string;
  /** The settings come from stacks of the project in `cwd`. */
  readonly fromStacks: boolean;
  readonly stacks: readonly string[];
  /** Files with states. */
  readonly files: readonly string[];
  /** File with tokens. */
  readonly tokens: string | undefined;
  /** File with what the API cannot show. */
  readonly known: string | undefined;
  readonly missing: boolean;
  readonly force: boolean;
}

export function readOptions(args: string[]): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      object: { type: "string", multiple: true, default: [] },
      skip: { type: "string", multiple: true, default: [] },
      name: { type: "string" },
      stack: { type: "string", short: "s", multiple: true, default: [] },
      state: { type: "string", multiple: true, default: [] },
      cwd: { type: "string" },
      tokens: { type: "string" },
      known: { type: "string" },
      missing: { type: "boolean", default: false },
      force: { type: "boolean", default: false },
    },
  });
  const [folder] = positionals;
  if (folder === undefined || positionals.length !== 1)
    throw new UsageError("name exactly one folder to write the program to");
  if (values.name !== undefined && !/^[\w.-]{1,100}$/.test(values.name))
    throw new UsageError(`--name is ${JSON.stringify(values.name)}; use letters, digits, "_", "." and "-"`);
  const { missing, tokens } = values;
  if (values.state.length > 0 && !missing)
    throw new UsageError("--state says what is managed already, so it needs --missing");
  const namesStacks = values.stack.length > 0 || values.cwd !== undefined;
  if (tokens !== undefined && namesStacks && !missing)
    throw new UsageError(
      `both --tokens and ${values.stack.length > 0 ? "--stack" : "--cwd"} say which accounts to read; use one of them`,
    );
  return {
    folder: resolve(folder),
    objects: [...new Set(values.object)].map(wantedObject),
    skip: values.skip.map((part) => oneOf("--skip", part, parts)),
    name: values.name,
    cwd: resolve(values.cwd ?? "."),
    fromStacks: namesStacks || (missing && values.state.length === 0),
    stacks: [...new Set(values.stack)],
    files: [...new Set(values.state)],
    tokens,
    known: values.known,
    missing,
    force: values.force,
  };
}

function wantedObject(text: string): WantedObject {
  const [, account, id] = /^(?:([\w.-]+):)?(.*)$/s.exec(text)!;
  return { account, ...objectIn("--object", text, id) };
}
