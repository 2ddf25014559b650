import { isDeepStrictEqual } from "node:util";
import type { Program, ResourceSpec } from "../../harness/stack";
import type { Ended } from "./promises";
import { type Facts, ids, policyFolderAt } from "./world";

interface Element {
  readonly access: string;
  readonly action?: readonly string[];
  readonly condition?: Readonly<Record<string, readonly unknown[]>>;
}

/** What is known of the policy of one object or folder. */
interface Known {
  /** Before the resource that manages it as a whole; undefined if that is not certain. */
  original?: string[] | undefined;
  /** Elements of others, which stay; undefined if nobody can tell which they are. */
  theirs?: string[] | undefined;
}

type Named = ResourceSpec & { readonly name: string };

/** An element in a form that can be compared. */
function plain({ access, action, condition = {} }: Element): string {
  const ids = (...names: string[]) =>
    names.flatMap((name) => (condition[name] ?? []).map(Number)).sort((a, b) => a - b);
  return JSON.stringify({
    access,
    action: action && [...action].sort(),
    users: ids("svcUsers", "svc_users"),
    groups: ids("svcGroups", "svc_groups"),
  });
}

const plainAll = (policy: unknown): string[] => (policy as readonly Element[]).map(plain);
const same = (one: readonly string[], other: readonly string[]) => JSON.stringify(one) === JSON.stringify(other);

/** What the pages promise about the policies of objects and folders. */
export class PolicyPromises {
  readonly #known = new Map<string, Known>();

  constructor(facts: Facts) {
    for (const [fact, value] of facts)
      if (/^(note|folder) /.test(fact)) this.#known.set(fact, { theirs: plainAll(JSON.parse(value)) });
  }

  /** Whether nothing of this stack is in it, so that others can change it, and what they add must stay. */
  isFree(fact: string, ...programs: readonly Program[]): boolean {
    return (
      programs.every((program) => on(fact, program, "Policy").length === 0) &&
      this.#known.get(fact)?.theirs !== undefined
    );
  }

  addedByOthers(fact: string, element: Element): void {
    this.#known.get(fact)!.theirs?.push(plain(element));
  }

  broken(ended: Ended, last: Program): string[] {
    return [...this.#known].flatMap(([fact, known]) =>
      this.#brokenOf(fact, known, ended, last).map((one) => `the policy of ${fact} ${one}`),
    );
  }

  #brokenOf(
    fact: string,
    known: Known,
    { before, after, program, tried, isUnsure, replaced }: Ended,
    last: Program,
  ): string[] {
    const [was, now] = [before, after].map((facts) => plainAll(JSON.parse(facts.get(fact)!))) as [string[], string[]];
    const [[whole], grants] = [on(fact, program, "Policy"), on(fact, program, "Grant")];
    const [[lastWhole], lastGrants] = [on(fact, last, "Policy"), on(fact, last, "Grant")];
    const isTouched = [...tried, program, last].some((one) => on(fact, one, "").length > 0);
    if (!isTouched) return same(now, was) ? [] : [`is ${now}, and nobody has declared another one than ${was}`];
    if (whole) {
      const isSameOne =
        lastWhole?.name === whole.name &&
        replaced !== whole.name &&
        lastWhole.args["onDestroy"] === whole.args["onDestroy"];
      if (!lastWhole) known.original = isUnsure || lastGrants.length > 0 ? undefined : was;
      else if (!isSameOne || isUnsure) known.original = undefined;
      known.theirs = undefined;
      const declared = plainAll(whole.args["policy"]);
      return same(now, declared) ? [] : [`is ${now}, and ${whole.name} declares ${declared}`];
    }
    const isCertain = !isUnsure && !tried.some((one) => on(fact, one, "Policy").length > 0);
    if (lastWhole && grants.length === 0) {
      known.theirs = now;
      return isCertain ? this.#ending(lastWhole, was, now, known.original) : [];
    }
    if (lastWhole || !isCertain) known.theirs = undefined;
    const broken = grants.flatMap((grant) => notGranted(grant, now));
    if (known.theirs) {
      const all = [...grants, ...lastGrants];
      // A deny-all that ends the policy stays at a change of the grant; a new grant takes over what stands alone, and one
      // for somebody else may come after it.
      const isAlone =
        lastGrants.length > 0 && all.every((grant) => isDeepStrictEqual(principalOf(grant), principalOf(all[0]!)));
      const theirs = known.theirs.filter(
        (one) => !all.some((grant) => isAbout(grant, one)) && (isAlone || !isDenyAll(one)),
      );
      broken.push(
        ...theirs.filter((one) => !now.includes(one)).map((one) => `has lost ${one}, which is somebody else's`),
      );
      known.theirs = theirs;
      const ours = now.filter((one) => !theirs.includes(one) && !grants.some((grant) => isAbout(grant, one)));
      broken.push(...ours.filter((one) => !isDenyAll(one)).map((one) => `still has ${one}`));
    }
    if (grants.length === 0) known.theirs = now;
    return broken;
  }

  #ending({ name, args }: Named, was: string[], now: string[], original: string[] | undefined): string[] {
    const expected = {
      clear: [],
      keep: was,
      set: args["destroyPolicy"] && plainAll(args["destroyPolicy"]),
      restore: original,
    };
    const wanted = expected[(args["onDestroy"] ?? "restore") as keyof typeof expected] as string[] | undefined;
    return wanted === undefined || same(now, wanted) ? [] : [`is ${now}, and ${name} was to leave ${wanted}`];
  }
}

/** The resources that say something about it. */
function on(fact: string, program: Program, ending: string): Named[] {
  const all = Object.entries(program).map(([name, spec]) => ({ name, ...spec }));
  return all.filter(({ type, args }) => {
    if (!type.endsWith(ending)) return false;
    if (type.startsWith("Object")) return fact === `note ${args["sourceId"]}`;
    return (
      /^Folder./.test(type) &&
      [0, 1].some((slot) => args["location"] === policyFolderAt(slot) && fact === `folder ${ids.policyFolder(slot)}`)
    );
  });
}

const principalOf = ({ args }: Named) => [Number(args["user"]), Number(args["group"])];

const isDenyAll = (element: string) => /^\{"access":"deny","action":\["all"\]/.test(element);

/** Whether an element names the principal of a grant alone. */
function isAbout({ args }: Named, element: string): boolean {
  const { users, groups } = JSON.parse(element) as { users: number[]; groups: number[] };
  const [own, others] = args["user"] === undefined ? [groups, users] : [users, groups];
  return (
    own.length === 1 && others.length === 0 && own[0] === Number(args["user"] ?? args["group"]) && !isDenyAll(element)
  );
}

function notGranted(grant: Named, now: readonly string[]): string[] {
  const about = now.filter((one) => isAbout(grant, one)).map((one) => JSON.parse(one) as Element);
  return (["allow", "deny"] as const).flatMap((access) => {
    const said = about.filter((one) => one.access === access).flatMap(({ action = [] }) => action);
    const [found, wanted] = [said, (grant.args[access] ?? []) as string[]].map((some) =>
      [...new Set(some)].sort().join(", "),
    );
    return found === wanted ? [] : [`is to ${access} ${wanted} for ${grant.name}, and has ${found}: ${now}`];
  });
}
