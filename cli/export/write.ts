import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Files } from "./files";
import { refuseOverwriting } from "./layout";

/** Writes the files. Those with secrets are kept from Git and from other users, wherever they go. */
export function writeFiles({ texts, secret }: Files, folder: string, force: boolean): void {
  if (!force) refuseOverwriting(folder, Object.keys(texts));
  const [plain, hidden] = [Object.keys(texts).filter((name) => !secret.includes(name)), secret];
  for (const name of plain) writeFileSync(made(folder, name), texts[name]!);
  for (const name of hidden) {
    const file = made(folder, name);
    keepFromGit(file);
    // An existing file would keep its mode, and others could read the secrets.
    rmSync(file, { force: true });
    writeFileSync(file, texts[name]!, { mode: 0o600 });
  }
}

function made(folder: string, name: string): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  return file;
}

/** A line in the `.gitignore` beside the file. The last one that fits counts, so it goes to the end. */
function keepFromGit(file: string): void {
  const ignore = join(dirname(file), ".gitignore");
  const lines = existsSync(ignore) ? readFileSync(ignore, "utf8").split(/\r?\n/) : [];
  const before = lines.filter((line, index) => line !== "" || index < lines.length - 1);
  if (before.at(-1) !== basename(file)) writeFileSync(ignore, [...before, basename(file), ""].join("\n"));
}
