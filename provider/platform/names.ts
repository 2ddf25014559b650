import { isPlatformError, PlatformError, withNote } from "../api/errors";
import { saysWhoseNameItIs } from "../api/meaning";
import type { Context } from "../core/define";
import type { Id } from "../values/id";
import { lookUntil } from "./listing";

/** Whether another resource of the program gives up a name that is to be created: this waits for its new one. */
export async function isGivenUp({ api, run }: Context, key: string, isShown: () => Promise<boolean>): Promise<boolean> {
  await run.othersAreDeclared();
  const other = run.changerOf(key);
  if (other === undefined) return false;
  const look = async () => run.movedTo(key) !== undefined && !(await isShown());
  if (await lookUntil(api, look, Boolean)) return true;
  throw new PlatformError(
    `the ${key} is what ${other} manages, which gets another name in this run, but has this one still; run "pulumi up" again when it has the new one, without --parallel 1, or let this one depend on it (dependsOn)`,
    { code: "conflict" },
  );
}

/** What this run calls a role or a group by now: a new one may have its old name. */
export function newName<Name extends Id>(
  run: Pick<Context["run"], "movedTo">,
  named: { keyOf(name: string): string },
  name: Name,
): Name | string {
  return run.movedTo(named.keyOf(String(name))) ?? name;
}

/** For a rename that was declared too late to be waited for: by then a new resource has taken over what has the name. */
export function refuseIfTaken({ run }: Context, what: string): void {
  if (!run.takenOver.has(what)) return;
  throw new PlatformError(
    `${what} is not renamed: before this was declared, a new resource of its old name in this program took it over. Take that one out of the state with "pulumi state delete", let it depend on this one (dependsOn), and run "pulumi up" again`,
    { code: "conflict", outcome: "not-sent" },
  );
}

/** For what may have no second one of its name, and cannot be renamed or removed: the old one, or a lost one, has it. */
export function withTakenName(error: unknown, noun: string): unknown {
  return isPlatformError(error) && saysWhoseNameItIs(error) === "somebody's"
    ? withNote(
        error,
        `The ${noun} that this one replaces has that name, or one whose creation had no answer: give this one another name, or remove or rename that one in the platform's user interface`,
      )
    : error;
}

interface Shown {
  readonly id: unknown;
  readonly name?: unknown;
}

/** The engine deletes last, and the platform refuses a name that exists. `find`: what has it. */
export async function inTwoSteps(error: Error, noun: string, find: () => Promise<Shown | undefined>): Promise<never> {
  const isRefused = isPlatformError(error, "conflict", "rejected") && error.outcome === "refused";
  const other = isRefused ? await find().catch(() => undefined) : undefined;
  const advice =
    'If it is to be removed, or the two are to exchange their names, do it in two steps: remove it, or give one of them a name in between, run "pulumi up", then change the rest and run "pulumi up" again';
  throw other ? withNote(error, `${noun} ${other.id} has the name ${other.name}. ${advice}`) : error;
}
