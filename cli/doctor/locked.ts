import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import { printable } from "../terminal/style";
import { type Finding, findingsOf } from "./finding";

const { warning } = findingsOf("Stack");

const Lock = z.looseObject({ username: z.string(), hostname: z.string(), timestamp: z.string() });

/** A lock that a killed run has left, where the state is in a folder. Other backends do not show theirs. */
export function lockFindings(
  backend: string,
  { cwd, project, stack }: { readonly cwd: string; readonly project: string; readonly stack: string },
  onStack: string,
): Finding[] {
  if (!backend.startsWith("file://")) return [];
  const folder = resolve(cwd, backend.slice("file://".length).replace(/^~/, homedir()));
  const locks = join(folder, ".pulumi/locks/organization", project, stack);
  return locksIn(locks).map((data) => {
    const says = `locked by a run of ${data.username} on ${data.hostname} since ${data.timestamp}: no other run can begin`;
    return warning("lock", printable(says), `pulumi cancel${onStack}   # if that run was killed; else wait for it`);
  });
}

function locksIn(folder: string) {
  try {
    const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
    return files.map((name) => Lock.parse(JSON.parse(readFileSync(join(folder, name), "utf8"))));
  } catch {
    // None, or one that has just gone.
    return [];
  }
}
