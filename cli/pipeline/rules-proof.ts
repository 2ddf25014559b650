import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageVersion } from "../version";
import type { RulesProof } from "./plan";
import { sha256 } from "./state";

/** Which pack judged, by the files that it is made of, and by which configurations. */
export function rulesProof(base: string | undefined, head: string | undefined): RulesProof {
  const folder = join(__dirname, "../../policies");
  const hash = createHash("sha256");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  for (const file of files.filter((name) => /\.[jt]s$/.test(name)))
    hash.update(`${file} ${sha256(readFileSync(join(folder, file)))}\n`);
  const pack = `pulumi-dataplatform ${packageVersion()} (rules ${hash.digest("hex").slice(0, 12)})`;
  return { pack, base: configDigest(base), head: configDigest(head) };
}

export const configDigest = (text: string | undefined): string => (text === undefined ? "none" : sha256(text));
