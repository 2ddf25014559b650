import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { oneOf, UsageError, wrongValue } from "../errors";
import { objectIn } from "../platform/named";
import { parts } from "./read";

export type Options = ReturnType<typeof readOptions>;

export function readOptions(args: string[]) {
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
    throw wrongValue("--name", values.name, 'letters, digits, "_", "." and "-"');
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
    /** The settings come from stacks of the project in `cwd`. */
    fromStacks: namesStacks || (missing && values.state.length === 0),
    stacks: [...new Set(values.stack)],
    /** Files with states. */
    files: [...new Set(values.state)],
    /** File with tokens. */
    tokens,
    /** File with what the API cannot show. */
    known: values.known,
    missing,
    force: values.force,
  };
}

/** An object whose policy is exported, and the label of its account: undefined if there is only one. */
function wantedObject(text: string) {
  const [, account, id] = /^(?:([\w.-]+):)?(.*)$/s.exec(text)!;
  return { account, ...objectIn("--object", text, id) };
}
