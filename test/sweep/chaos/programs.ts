import { isDeepStrictEqual } from "node:util";
import type { Program, ResourceSpec } from "../../harness/stack";
import { some, thingsOf } from "./places";
import type { Random } from "./random";
import type { Facts } from "./world";

export type Args = Record<string, unknown>;

/** A resource before names are put in: a text such as `@role-1` stands for the name that this one gives. */
export interface Draft {
  readonly name: string;
  readonly type: string;
  readonly args: Args;
  readonly dependsOn?: readonly string[];
  /** Depends on all that this one depends on. */
  readonly likewise?: string;
}

export const areas = [
  "roles",
  "groups",
  "addresses",
  "assigned",
  "members",
  "notes",
  "folders",
  "packages",
  "users",
  "made",
] as const;
export type Area = (typeof areas)[number];
export type Drafts = Readonly<Record<Area, readonly Draft[]>>;
export const nothing = Object.fromEntries(areas.map((area) => [area, []])) as unknown as Drafts;

/** What names are put in for: it must be declared before, and what cannot do without it goes with it. */
export function programOf(drafts: Drafts): Program {
  const program: Record<string, ResourceSpec> = {};
  for (const { name, type, args, dependsOn = [], likewise = "" } of areas.flatMap((area) => drafts[area])) {
    const others = program[likewise]?.opts?.["dependsOn"] ?? [];
    const named = new Set([...dependsOn, ...(others as string[])].filter((other) => program[other]));
    const put = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(put).filter((one) => one !== undefined);
      if (typeof value !== "string" || !value.startsWith("@")) return value;
      const giver = program[value.slice(1)];
      // A group that lists all of them itself.
      if (!giver || giver.args[type === "GroupMembership" ? "members" : "roles"] !== undefined) return undefined;
      named.add(value.slice(1));
      return giver.args["name"];
    };
    const given = Object.entries(args).map(([key, value]) => [key, put(value)]);
    const isLost = given.some(([key, value]) => value === undefined && args[key as string] !== undefined);
    if (isLost || ["roles", "users"].some((key) => type !== "Group" && isEmpty(given, key))) continue;
    program[name] = {
      type,
      args: Object.fromEntries(given),
      ...(named.size > 0 && { opts: { dependsOn: [...named] } }),
    };
  }
  return program;
}

/** Where the same text names another role or group than before, only a refresh shows that it is to be changed. */
function withoutOldText(before: Drafts, drafts: Drafts): Drafts {
  const [last, next] = [programOf(before), programOf(drafts)];
  const isOld = (area: Area, { name, args }: Draft) =>
    Object.keys(args).some(
      (key) =>
        isDeepStrictEqual(last[name]?.args[key], next[name]?.args[key]) &&
        !isDeepStrictEqual(before[area].find((one) => one.name === name)?.args[key], args[key]),
    );
  const kept = areas.map((area) => [area, drafts[area].filter((draft) => !isOld(area, draft))]);
  return Object.fromEntries(kept) as unknown as Drafts;
}

const isEmpty = (given: readonly unknown[][], name: string) =>
  given.some(([key, value]) => key === name && Array.isArray(value) && value.length === 0);

/** Draws programs in which things move: between resources, between names, and from one spelling to another. */
export class Programs {
  #version = 0;

  constructor(
    private readonly random: Random,
    private readonly extended: boolean,
  ) {}

  /** The first program, or the next one: of each area it keeps all, changes what may be changed in place, or draws anew. */
  next(before: Drafts, facts: Facts, only: readonly Area[] = areas): Drafts {
    const { random } = this;
    const next: Partial<Record<Area, readonly Draft[]>> = {};
    for (const area of areas) {
      const old = before[area];
      const share = random.next();
      if (!only.includes(area) || (old.length > 0 && share < 0.3)) next[area] = old;
      else if (old.length > 0 && share < 0.55) next[area] = this.#turned(area, old);
      else next[area] = this.#draw(area, { ...nothing, ...next }, old, facts);
    }
    return this.#withDependencies(withoutOldText(before, next as Drafts));
  }

  /** Other options, and names that change places. */
  #turned(area: Area, drafts: readonly Draft[]): Draft[] {
    const { random } = this;
    const mayChange = !["roles", "groups", "made"].includes(area) && random.chance(0.5);
    const names = new Map<string, string[]>();
    for (const { type, name } of drafts) names.set(type, [...(names.get(type) ?? []), name]);
    for (const [type, list] of names) names.set(type, random.shuffled(list));
    return drafts.map(({ name, type, args, ...rest }) => ({
      ...rest,
      type,
      name: mayChange ? names.get(type)!.pop()! : name,
      args: {
        ...args,
        ...("adopt" in args && random.chance(0.5) && { adopt: !args["adopt"] }),
        ...("description" in args && random.chance(0.7) && { description: `${args["description"]}!` }),
        ...(type === "ObjectPolicy" && { onDestroy: random.pick(["restore", "clear", "keep"]) }),
      },
    }));
  }

  #withDependencies(drafts: Drafts): Drafts {
    const { random } = this;
    const earlier: string[] = [];
    const withSome = (draft: Draft): Draft => {
      const dependsOn = earlier.length > 0 && random.chance(0.2) ? [random.pick(earlier)] : [];
      earlier.push(draft.name);
      return { ...draft, dependsOn };
    };
    return Object.fromEntries(areas.map((area) => [area, drafts[area].map(withSome)])) as unknown as Drafts;
  }

  #draw(area: Area, drafts: Drafts, old: readonly Draft[], facts: Facts): readonly Draft[] {
    const { random, extended } = this;
    const drawn = { random, extended, drafts, version: this.#version++ };
    switch (area) {
      case "roles":
        return extended ? this.#named("Role", old) : [];
      case "groups":
        return extended ? this.#named("Group", old, drafts) : [];
      case "made":
        return thingsOf.made(drawn, old, facts);
      default:
        return thingsOf[area](drawn);
    }
  }

  /**
   * Roles or groups. One that is there may get a name that nobody has, and a new one the name that it gives up; two that
   * change their names take two runs, and so does the name of one that is removed, unless the new one adopts it.
   */
  #named(type: "Role" | "Group", old: readonly Draft[], drafts?: Drafts): Draft[] {
    const { random } = this;
    const letters = (some: string, not: (name: unknown) => boolean) =>
      random.shuffled([...some].map((letter) => `${type}-${letter}`).filter((name) => !not(name)));
    const hadBefore = (name: unknown) => old.find(({ args }) => args["name"] === name);
    const kept: Draft[] = [];
    const isTaken = (name: unknown) => kept.some(({ args }) => args["name"] === name);
    for (const { name, args } of old.filter(() => random.chance(0.75))) {
      const [given] = random.chance(0.5) ? letters("abcd", (one) => isTaken(one) || hadBefore(one) !== undefined) : [];
      kept.push({ name, type, args: this.#argsOf(type, given ?? args["name"], drafts) });
    }
    const fresh = [0, 1, 2]
      .map((slot) => `${type.toLowerCase()}-${slot}`)
      .filter((name) => !old.some((one) => one.name === name));
    const free = letters("abc", isTaken);
    const givenUp = free.filter((name) => kept.some((one) => one.name === hadBefore(name)?.name));
    const most = givenUp.length > 0 && random.chance(0.6) ? 1 : random.below(2);
    const news = random.shuffled(fresh).slice(0, kept.length === 0 ? 2 : most);
    const names = [...new Set([...givenUp, ...free])].slice(0, news.length);
    // As the refusal advises that comes where the new one takes the other over before that one is known to give up the name.
    const made = names.map(
      (name, index): Draft => ({
        name: news[index]!,
        type,
        args: this.#argsOf(type, name, drafts),
        likewise: hadBefore(name)?.name ?? "",
      }),
    );
    return [...kept, ...made];
  }

  #argsOf(type: "Role" | "Group", name: unknown, drafts?: Drafts): Args {
    const { random } = this;
    const adopt = random.chance(0.8);
    if (type === "Role") {
      const actions = random.some(["read", "update", "delete"]);
      return { name, adopt, policies: [{ access: "allow", resource: "note", action: actions }] };
    }
    const made = drafts?.roles.map((role) => `@${role.name}`) ?? [];
    const roles = [
      ...some(random, [0, 1]).map((role) => thingsOf.spelledRole(random, role)),
      ...made.filter(() => random.chance(0.5)),
    ];
    return {
      name,
      adopt,
      ...(random.chance(0.6) && { members: some(random, [0, 2, 4]).map((user) => thingsOf.spelledUser(random, user)) }),
      ...(random.chance(0.6) && { roles }),
    };
  }
}
