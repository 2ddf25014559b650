import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { checkInputs } from "../../provider/core/check";
import { hintFor } from "../../provider/core/property-names";
import { secretsOf } from "../../provider/core/secrets";
import { pathOf, YamlFile } from "../../provider/environment-files/document";
import { resources as definitions } from "../../provider/resources";
import { sameId } from "../../provider/values/id";
import { readText } from "../files";
import { definitionOf } from "../pulumi/declarable";
import type { Names } from "../pulumi/names";
import { Secret, secretOf } from "./source";
import type { Target } from "./targets";

const types = definitions.map(({ type }) => type);
const Entry = z.object({
  /** The label of the account; needed if there are several. */
  account: z.string().optional(),
  type: z.string().refine((type) => types.includes(type), {
    error: ({ input }) => `is not a type; ${hintFor(String(input), types)}`,
  }),
  /** The import id. The one account of a token needs none. */
  id: z.union([z.string().min(1), z.int().transform(String)]).optional(),
  /** The resource's name in the program. */
  name: z.string().min(1).optional(),
  inputs: z.record(z.string(), z.unknown()).default({}),
});

/** What the user knows of something that the API shows in part, or not at all. */
export interface Known extends Omit<z.output<typeof Entry>, "account"> {
  /** `file:line:column` */
  readonly place: string;
}

/** Finds what the user knows about an account. Reads the file, and tells all mistakes in it at once. */
export function knownFinder(file: string | undefined, targets: readonly Target[]): (target: Target) => Known[] {
  const labels = targets.map(({ label }) => label);
  const entries = (file === undefined ? [] : readEntries(file)).map(({ account, ...known }) => {
    const label = account ?? (labels.length === 1 ? labels[0]! : "");
    if (!labels.includes(label))
      throw new Error(
        `${known.place}: account ${account === undefined ? "is missing" : `is ${JSON.stringify(account)}`}; use one of ${labels.join(", ")}`,
      );
    return { label, known };
  });
  return (target) => entries.filter(({ label }) => label === target.label).map(({ known }) => known);
}

export function isAbout({ type, id }: Known, other: { readonly type: string; readonly id: string }): boolean {
  return type === other.type && (id === undefined ? type === "Account" : sameId(id, other.id));
}

function readEntries(file: string) {
  const yaml = new YamlFile(file, readText("--known", file));
  const mistakes = yaml.linesOf(yaml.errors);
  const value = yaml.value ?? [];
  if (!Array.isArray(value)) throw new Error(`${file}: write a list of entries, each with type, id and inputs`);
  const entries = value.flatMap((entry, index) => {
    const place = yaml.place([index]);
    if (typeof entry !== "object" || entry === null) {
      mistakes.push(`${place}: write type, id and inputs`);
      return [];
    }
    for (const { property, reason } of checkInputs({ inputs: Entry }, entry))
      mistakes.push(`${yaml.place([index, ...pathOf(property)])}: ${property} ${reason}`);
    const { data } = Entry.safeParse(entry);
    if (data && data.id === undefined && data.type !== "Account")
      mistakes.push(`${place}: id is missing: the import id of the ${data.type}`);
    return data ? [{ ...data, place }] : [];
  });
  if (mistakes.length > 0) throw new Error(mistakes.join("\n"));
  return entries;
}

/** A resource of the program, with its import id. */
export interface Declaration {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly inputs: Record<string, unknown>;
  /** Inputs that an import cannot read: the import file supplies them. */
  readonly supplied?: Readonly<Record<string, unknown>>;
  /** Where the user told about it; then a mistake is an error. */
  readonly place?: string;
  /** Added as a comment next to it. */
  readonly remark?: string | undefined;
}

/** Completes what was read with what the user knows, and adds what the API does not list. */
export function withKnown(read: readonly Declaration[], known: readonly Known[], names: Names) {
  const warnings: string[] = [];
  const declarations = [...read];
  for (const entry of known) {
    const at = declarations.findIndex((declaration) => isAbout(entry, declaration));
    const found = declarations[at] ?? unlisted(entry, names);
    const differing = Object.keys(entry.inputs).filter((property) => isShown(property, found, entry));
    if (differing.length > 0)
      warnings.push(
        `${entry.place}: the platform shows another value for ${differing.join(", ")} of ${entry.type} ${found.id}, which is used`,
      );
    declarations.splice(at < 0 ? declarations.length : at, 1, completed(found, entry));
  }
  return { declarations, warnings };
}

function unlisted({ type, id, name, place }: Known, names: Names): Declaration {
  if (id === undefined) throw new Error(`${place}: the platform shows no ${type}; give its id`);
  return { type, id, name: names.of(name ?? `${type}-${id}`), inputs: { ...definitionOf(type).importId.tells?.(id) } };
}

/** What the platform shows is what an import reads, so it counts. */
function isShown(property: string, { type, inputs }: Declaration, { inputs: given }: Known): boolean {
  const shown = inputs[property];
  if (shown === undefined || isSecret(type, property)) return false;
  return !isDeepStrictEqual(shown, given[property]);
}

/**
 * The program takes secrets from the stack's configuration; only the import file has them. It has everything else that the
 * program says as well: what neither the platform shows nor the file has would count as changed.
 */
function completed(found: Declaration, { inputs: given, place }: Known): Declaration {
  const { type, name } = found;
  const known = { ...given, ...found.inputs };
  const secret = Object.keys(given).filter((property) => isSecret(type, property));
  const plain = Object.entries(known).filter(
    ([property, value]) => !secret.includes(property) && !(value instanceof Secret),
  );
  return {
    ...found,
    place,
    inputs: {
      ...known,
      ...Object.fromEntries(secret.map((property) => [property, secretOf(name, property, "require")])),
    },
    supplied: {
      ...Object.fromEntries(plain),
      ...Object.fromEntries(secret.map((property) => [property, given[property]])),
    },
  };
}

export function isSecret(type: string, property: string): boolean {
  return secretsOf(definitionOf(type)).includes(property);
}
