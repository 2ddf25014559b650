import { z } from "zod";
import { shownText } from "../values/fields";
import { type Id, isNumeric, shownId } from "../values/id";

/** Something that has two names: a role its id and its name, a user the id and the e-mail address. */
export interface Named {
  readonly id?: Id | undefined;
  readonly name?: string | undefined;
  /** The name that this run gives it, and under which the program declares what belongs to it. */
  readonly nextName?: string | undefined;
}

/** One in a list whose form is not documented: an id, a name, or a record with one of them. */
export function namedEntry(nameField: "email" | "name"): z.ZodType<Named> {
  const plain = z
    .union([z.number(), z.string().min(1)])
    .transform((one): Named => (isNumeric(one) ? { id: one } : { name: String(one) }));
  const record = z
    .looseObject({ id: shownId, [nameField]: shownText })
    .transform((found): Named => ({ id: found.id as Id | undefined, name: (found[nameField] as string) || undefined }))
    .refine(({ id, name }) => id !== undefined || name !== undefined);
  return z.preprocess((entry) => wrapped.safeParse(entry).data ?? entry, z.union([plain, record]));
}

/** The record of a member or a role, beside what the list says about the membership. */
const wrapped = z.union([
  z.object({ svc_user: z.unknown() }).transform(({ svc_user }) => svc_user),
  z.object({ user: z.looseObject({}) }).transform(({ user }) => user),
  z.object({ role: z.looseObject({}) }).transform(({ role }) => role),
]);

/** What the platform has of a kind, to tell that an id and a name mean the same thing. */
export class Directory {
  readonly #byId = new Map<string, Named>();
  readonly #byName = new Map<string, Named>();

  /** `fold`: the form in which names are compared. */
  constructor(
    private readonly known: readonly Named[],
    private readonly fold: (name: string) => string = (name) => name,
  ) {
    for (const one of known) {
      const { id, name } = one;
      if (id !== undefined && !this.#byId.has(String(id))) this.#byId.set(String(id), one);
      if (name !== undefined && !this.#byName.has(fold(name))) this.#byName.set(fold(name), one);
    }
  }

  /** Knows these too, if it does not know them yet. */
  and(more: readonly Named[]): Directory {
    const isKnown = ({ id, name }: Named) =>
      (id === undefined || this.#byId.has(String(id))) && (name === undefined || this.#byName.has(this.fold(name)));
    return more.every(isKnown) ? this : new Directory([...this.known, ...more], this.fold);
  }

  /** What an id or a name in the program means. */
  of(reference: Id): Named {
    const found = this.#find(reference);
    if (found) return found;
    return isNumeric(reference) ? { id: reference } : { name: String(reference) };
  }

  /** The same for all that means the same. By name: a user has two ids, and platforms differ in which of them they show. */
  identityOf(one: Named): string {
    const { id, name } = this.completed(one);
    return name === undefined ? `id ${id}` : `name ${this.fold(name)}`;
  }

  /** Tells what is in a list. */
  among(list: readonly Named[]): (one: Named) => boolean {
    const known = this.and(list);
    const identities = new Set(list.map((one) => known.identityOf(one)));
    return (one) => identities.has(known.identityOf(one));
  }

  /** `isSure`: false if something counts as missing only because an id could not be compared with a name. */
  compare(references: readonly Id[], actual: readonly Named[]): { readonly others: Named[]; readonly isSure: boolean } {
    const known = this.and(actual);
    const wanted = references.map((reference) => known.of(reference));
    const [isThere, isWanted] = [known.among(actual), known.among(wanted)];
    const all = actual.map((one) => known.completed(one));
    const [haveIds, haveNames] = [all.every(({ id }) => id !== undefined), all.every(({ name }) => name !== undefined)];
    // An e-mail address cannot be compared with ids of users that nothing shows the addresses of.
    const canTell = ({ id, name }: Named) => (id !== undefined && haveIds) || (name !== undefined && haveNames);
    return {
      others: all.filter((one) => !isWanted(one)),
      isSure: wanted.every((one) => isThere(one) || canTell(one)),
    };
  }

  #find(reference: Id): Named | undefined {
    return this.#byId.get(String(reference)) ?? this.#byName.get(this.fold(String(reference)));
  }

  /** With both names, if it knows the other one. */
  completed(one: Named): Named {
    if (one.id !== undefined && one.name !== undefined) return one;
    const reference = one.id ?? one.name;
    const found = reference === undefined ? undefined : this.#find(reference);
    return { id: one.id ?? found?.id, name: one.name ?? found?.name };
  }
}

/** How the program would best spell it. */
export function spelled({ id, name }: Named): string {
  return name ?? String(id ?? "");
}

/** Every spelling of it. */
export function spellings({ id, name, nextName }: Named): string[] {
  return [id, name, nextName].filter((one) => one !== undefined).map(String);
}
