import { z } from "zod";
import { checkInputs } from "../../provider/core/check";
import { hintFor } from "../../provider/core/property-names";
import { pathOf, YamlFile } from "../../provider/environment-files/document";
import { resources as definitions } from "../../provider/resources";
import { sameId } from "../../provider/values/id";
import { readText } from "../files";
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
  const mistakes = yaml.errors.map(({ offset, text }) => `${yaml.at(offset)}: ${text}`);
  const value = yaml.value ?? [];
  if (!Array.isArray(value)) throw new Error(`${file}: write a list of entries, each with type, id and inputs`);
  const entries = value.flatMap((entry, index) => {
    const place = yaml.at(yaml.offsetOf([index]));
    if (typeof entry !== "object" || entry === null) {
      mistakes.push(`${place}: write type, id and inputs`);
      return [];
    }
    for (const { property, reason } of checkInputs({ inputs: Entry }, entry))
      mistakes.push(`${yaml.at(yaml.offsetOf([index, ...pathOf(property)]))}: ${property} ${reason}`);
    const { data } = Entry.safeParse(entry);
    if (data && data.id === undefined && data.type !== "Account")
      mistakes.push(`${place}: id is missing: the import id of the ${data.type}`);
    return data ? [{ ...data, place }] : [];
  });
  if (mistakes.length > 0) throw new Error(mistakes.join("\n"));
  return entries;
}
