import type { Clients } from "../../provider/api/clients";
import { readSettings } from "../../provider/api/settings";
import { readText } from "../files";
import {
  type Account,
  type Accounts,
  accountsOf,
  type Given,
  holdersIn,
  readFile,
  readStack,
  type Source,
} from "../inventory/accounts";
import type { Managers } from "../inventory/match";
import { mismatchText } from "../platform/accounts";
import { Names, slug } from "../pulumi/names";
import { nameOf, stackNames } from "../pulumi/stack";
import type { StatusLine } from "../terminal/status-line";
import type { Options } from "./options";

/** An account to export. */
export interface Target {
  readonly account: Account;
  /** Names its folder, and its stack if it gets one of its own. */
  readonly label: string;
  /** Its stack is in dynamic mode, and Pulumi imports through plugins only. */
  readonly isDynamic: boolean;
  /** What they manage is left out. */
  readonly managers: Managers;
}

export type Targets = Awaited<ReturnType<typeof findTargets>>;

/** Reading a stack starts Pulumi twice. */
const stacksAtOnce = 3;

/** The accounts of the tokens: those in a file, of the stacks and their providers, or of the environment. */
export async function findTargets(options: Options, clients: Clients, progress: StatusLine) {
  const given = options.tokens === undefined ? [] : readTokens(options.tokens);
  const read = await readSources(options, progress);
  // With tokens, the stacks only tell what is managed.
  const sources = given.length > 0 ? read.map(({ config: _, ...source }) => source) : read;
  const found = await progress.during("checking accounts", () => accountsOf(sources, clients, given));
  refuseUnread(found);
  const labels = new Names();
  const managersOf = managersFinder(options, sources);
  const stacks = new Set(found.accounts.map(({ adopter }) => adopter.stack));
  return {
    targets: found.accounts.map(
      (account): Target => ({
        account,
        label: labels.of(labelOf(account, stacks.size > 1)),
        isDynamic: isDynamic(account, sources),
        managers: managersOf(account),
      }),
    ),
    /** Whose names are taken. An export of everything declares again what they have, by the same names. */
    sources: options.missing ? sources : [],
    notes: found.notes,
  };
}

async function readSources(options: Options, progress: StatusLine): Promise<Source[]> {
  const { cwd, fromStacks, missing } = options;
  const files = options.files.map(readFile);
  if (!fromStacks) return files;
  const named: readonly (string | undefined)[] = options.stacks.length > 0 ? options.stacks : [undefined];
  // What no stack manages: so all of them count, unless the user names some.
  const stacks = missing && options.stacks.length === 0 ? await stackNames(cwd) : named;
  if (stacks.length === 0)
    throw new Error(
      `the project in ${cwd} has no stack; make one with "pulumi stack init", or export without --missing`,
    );
  const read = await progress.each("reading stacks", stacks, stacksAtOnce, (stack) => readStack({ cwd, stack }));
  return [...read, ...files];
}

/** What a program says about one account would be declared in another, or twice. */
function refuseUnread({ mismatches, unread }: Accounts): void {
  if (mismatches.length > 0)
    throw new Error(`${mismatches.map(mismatchText).join("; ")}. Use a token of the account that owns the resources`);
  const [first] = unread;
  if (first) throw new Error(`cannot read ${first.what}: ${first.why}`);
}

/** Without --missing, nothing counts as managed. */
function managersFinder({ missing }: Options, sources: readonly Source[]): (account: Account) => Managers {
  if (!missing) return () => ({ holders: [], accountHolders: [] });
  const accountHolders = sources.flatMap(holdersIn).filter(({ type }) => type === "Account");
  return ({ holders }) => ({ holders, accountHolders });
}

function isDynamic({ adopter: { stack, provider } }: Account, sources: readonly Source[]): boolean {
  const config = sources.find((source) => source.stack === stack)?.config;
  return provider === undefined && config !== undefined && config["dataplatform:mode"]?.value !== "plugin";
}

/** As the user calls it, else as the provider or, among several, the stack is called. */
function labelOf({ id, name, adopter }: Account, hasStacks: boolean): string {
  const { label, provider, stack = "" } = adopter;
  const named = label ?? slug(provider !== undefined ? nameOf(provider) : hasStacks ? stack : (name ?? ""));
  return named || (id === undefined ? "account" : `account-${id}`);
}

/** The tokens in a file, one per line, with or without a name for the account before it. `-` is standard input. */
function readTokens(file: string): Given[] {
  const given = readText("the tokens", file === "-" ? 0 : file)
    .split(/\r?\n/)
    .flatMap((line, index) => tokenIn(line.trim(), `line ${index + 1} of ${sourceName(file)}`));
  if (given.length === 0)
    throw new Error(`there is no token in ${sourceName(file)}; write one per line, such as "analytics TOKEN"`);
  return given;
}

/** Never quotes the line, which has a secret in it. */
function tokenIn(line: string, place: string): Given[] {
  if (line === "" || line.startsWith("#")) return [];
  const words = line.split(/\s+/);
  if (words.length > 2) throw new Error(`${place} has ${words.length} words; write a token, or a name and a token`);
  const [name, token] = words.length === 2 ? (words as [string, string]) : [undefined, words[0]!];
  const label = name === undefined ? undefined : slug(name);
  if (label === "") throw new Error(`${place}: the name needs a letter or a digit, since a folder is named after it`);
  const settings = readSettings((setting) => (setting === "apiToken" ? token : undefined));
  return [{ settings, adopter: { label, place } }];
}

function sourceName(file: string): string {
  return file === "-" ? "standard input" : file;
}
