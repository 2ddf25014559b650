import { isDeepStrictEqual } from "node:util";
import type { Emulator } from "../../../emulator";
import type { Program } from "../../harness/stack";
import { type Claim, claimsOf, countsOf, rolePolicies, wholesOf } from "./claims";
import { PolicyPromises } from "./policy-promises";
import { type Facts, homeOf, observe } from "./world";

/** A step as it ended. */
export interface Ended {
  readonly before: Facts;
  readonly after: Facts;
  readonly program: Program;
  /** Programs that were tried before this one, in vain. */
  readonly tried: readonly Program[];
  /** Something failed or was cut off, so that what was there already may not be known. */
  readonly isUnsure: boolean;
  readonly replaced?: string | undefined;
  readonly isRefreshed: boolean;
}

/** Who put a fact on the platform: this stack, which takes it away; others, whose it stays; or nobody can say. */
type Owner = "stack" | "others" | "either";

const counted = /^(whitelist|assigned|member|package|enabled|role|group) /;

/** Of groups, and their roles and users, that programs do not make. */
const ofSeed = /^\w+ 2000[0-4] (3000[0-5]|1\d+)$/;

/** What a user may expect of the platform after a run, from what the pages promise. */
export class Promises {
  readonly #owners = new Map<string, Owner>();
  readonly #policies: PolicyPromises;
  #claims = new Map<string, Claim>();
  #program: Program = {};

  constructor(
    private readonly extended: boolean,
    facts: Facts,
  ) {
    for (const fact of facts.keys()) this.#owners.set(fact, "others");
    this.#policies = new PolicyPromises(facts);
  }

  /** Somebody else adds something. */
  addedByOthers(fact: string): void {
    this.#owners.set(fact, "others");
  }

  get policies(): PolicyPromises {
    return this.#policies;
  }

  /** Whether a resource of the program would remove what others add. */
  isManaged(fact: string, facts: Facts, ...programs: readonly Program[]): boolean {
    const place = { facts, extended: this.extended };
    const wholes = programs.flatMap((program) =>
      Object.entries(program).flatMap(([by, spec]) => wholesOf(by, spec, place)),
    );
    return wholes.some(({ start, keep }) => fact.startsWith(start) && !keep.includes(fact));
  }

  /** What is not as it should be. */
  broken(ended: Ended): string[] {
    const { after, program, tried } = ended;
    const place = { facts: after, extended: this.extended };
    const all = (one: Program) => Object.entries(one).flatMap(([by, spec]) => claimsOf(by, spec, place));
    const claims = new Map(all(program).map((claim) => [claim.fact, claim]));
    const vain = new Set(tried.flatMap(all).map(({ fact }) => fact));
    const broken = [
      ...[...claims.values()].flatMap((claim) => notAsDeclared(claim, after)),
      ...this.#beside(ended, claims, vain),
      ...this.#policies.broken(ended, this.#program),
      ...this.#counts(ended),
    ];
    this.#own(ended, claims);
    this.#claims = claims;
    this.#program = program;
    return broken;
  }

  /** What no resource declares. */
  #beside(
    { after, program, tried, isRefreshed, isUnsure }: Ended,
    claims: ReadonlyMap<string, Claim>,
    vain: ReadonlySet<string>,
  ): string[] {
    const place = { facts: after, extended: this.extended };
    const wholes = Object.entries(program).flatMap(([by, spec]) => wholesOf(by, spec, place));
    const isChanged = (by: string) => isRefreshed || !isDeepStrictEqual(program[by]?.args, this.#program[by]?.args);
    const facts = new Set(
      [...this.#owners.keys(), ...after.keys()].filter((fact) => counted.test(fact) && !claims.has(fact)),
    );
    return [...facts].flatMap((fact) => {
      const isThere = after.has(fact);
      const owner = this.#owners.get(fact);
      const whole = wholes.find(({ start, keep }) => fact.startsWith(start) && !keep.includes(fact));
      if (whole)
        return isThere && isChanged(whole.by)
          ? [`${fact} is still there, although ${whole.by} manages all of these`]
          : [];
      const isTaken = tried.some((one) => this.isManaged(fact, after, one));
      if (owner === "others" && !isThere && !isTaken) return [`${fact} is gone, which somebody else had added`];
      if (!isThere || isTaken || vain.has(fact)) return [];
      // What was declared by the name that a group or a role had before a run that failed is forgotten (docs/moving.md).
      if (isUnsure && /^(assigned|member) /.test(fact) && !ofSeed.test(fact)) return [];
      if (owner === "stack") return [`${fact} is left, which ${this.#claims.get(fact)?.by} declared`];
      return owner === undefined ? [`${fact} is there, and nobody declared it`] : [];
    });
  }

  #own({ before, after, isUnsure, replaced }: Ended, claims: ReadonlyMap<string, Claim>): void {
    const next = new Map<string, Owner>();
    for (const [fact, { leaves, by }] of claims) {
      const last = this.#claims.get(fact);
      const isKept = last?.by === by && replaced !== by && this.#owners.get(fact) === "stack" && !isUnsure;
      const isAdded = isKept ? last.leaves === "if added" : !before.has(fact) && !isUnsure;
      next.set(fact, leaves === "always" || (leaves === "if added" && isAdded) ? "stack" : "either");
    }
    for (const fact of after.keys())
      if (!next.has(fact)) next.set(fact, this.#owners.get(fact) === "others" ? "others" : "either");
    this.#owners.clear();
    for (const [fact, owner] of next) this.#owners.set(fact, owner);
  }

  /** What cannot be found again after a lost answer may be there twice. */
  #counts({ after, program, isUnsure, replaced }: Ended): string[] {
    return countsOf(program).flatMap((fact) => {
      const times = Number(after.get(fact) ?? 0);
      if (times === 0) return [`${fact} is not there`];
      const isNew = !countsOf(this.#program).includes(fact);
      return times > 1 && isNew && !isUnsure && replaced === undefined ? [`${fact} is there ${times} times`] : [];
    });
  }
}

function notAsDeclared({ fact, value, by }: Claim, facts: Facts): string[] {
  const found = facts.get(fact);
  if (found === undefined) return [`${fact} is not there, which ${by} declares`];
  return value === undefined || found === value ? [] : [`${fact} is ${found}, and ${by} declares ${value}`];
}

/** The facts, and some in a form that programs can be compared with. */
export function factsOf(emulator: Emulator): Facts {
  const facts = observe(emulator);
  const { roles, users } = homeOf(emulator);
  for (const { id, name, policies } of roles) {
    facts.set(`id of role ${name}`, String(id));
    facts.set(`role ${name}`, rolePolicies(policies ?? []));
  }
  for (const { id, status } of users) if (status === "enabled") facts.set(`enabled ${id}`, "1");
  return facts;
}
