import { createHmac } from "node:crypto";
import { appendFileSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Declarant, Declarations, type OtherDeclarations } from "../core/declarations";

type Told<Keys> = ["declare", Declarant, Keys, Keys] | ["own" | "takeOver" | "removing" | "removed", Keys, Keys];

/** What others have told. `removing`: keys that one of them is removing at this moment. */
interface Heard {
  readonly declarations: Declarations;
  readonly removing: ReadonlySet<string>;
}

/**
 * What other processes declare in the same run. The engine starts one for each explicit provider and one for dynamic mode,
 * and tells none of them about the others, so each writes what it declares to a file that the others read. Keys are hashed
 * with the token, and with the account once that is known: a rotated token is another one of the same account. The file
 * does not say what they are, and those of another account are never the same.
 */
export class Neighbours implements OtherDeclarations {
  readonly #folder: string;
  readonly #hashesOf: (keys: readonly string[]) => string[];
  /** What this process has told, and still holds. */
  readonly #said: Told<readonly string[]>[] = [];
  #isOpen: boolean | undefined;
  #heard = { text: "", ...replayed("") };

  /**
   * `engine`: its address, which is the same for all processes of a run, and no other engine's as long as it runs.
   * `accounts`: those that this process works in, as far as they are known.
   */
  constructor(
    engine: string,
    { baseUrl, apiToken }: { readonly baseUrl: string; readonly apiToken: string },
    accounts: ReadonlySet<string>,
  ) {
    this.#folder = join(rootFolder(), engine.replaceAll(/\W/g, "-"));
    const hash = (owner: string, key: string) =>
      createHmac("sha256", owner).update(`${baseUrl}\n${key}`).digest("base64url");
    const owners = () => [apiToken, ...[...accounts].map((account) => `account ${account}`)];
    this.#hashesOf = (keys) => owners().flatMap((owner) => keys.map((key) => hash(owner, key)));
  }

  declare({ who, label, isNew }: Declarant, keys: readonly string[], shared: readonly string[]): void {
    this.#say(["declare", { who: `${process.pid} ${who}`, label, isNew }, keys, shared]);
  }

  own(keys: readonly string[]): void {
    if (keys.length > 0) this.#say(["own", keys, []]);
  }

  takeOver(keys: readonly string[], shared: readonly string[]): void {
    if (keys.length + shared.length > 0) this.#say(["takeOver", keys, shared]);
  }

  removing(keys: readonly string[], isBegun: boolean): void {
    if (keys.length > 0) this.#write([isBegun ? "removing" : "removed", keys, []]);
  }

  /** Processes with other tokens of the account learn by it what this one has said. */
  sayAgain(): void {
    for (const said of this.#said) this.#write(said);
  }

  areThere(): boolean {
    return this.#others().length > 0;
  }

  /** Resolves soon: whoever waits asks again. */
  removalsOf(keys: readonly string[]): Promise<unknown> | undefined {
    const { removing } = this.#listen();
    const isRemoving = removing.size > 0 && this.#hashesOf(keys).some((hash) => removing.has(hash));
    return isRemoving ? setTimeout(pollMs) : undefined;
  }

  lastSaidAt(): number | undefined {
    const times = this.#others().map((pid) => quietly(() => statSync(join(this.#folder, pid)).mtimeMs) ?? 0);
    return times.length === 0 ? undefined : Math.max(...times) - performance.timeOrigin;
  }

  isOwned(key: string): boolean {
    const { declarations } = this.#listen();
    return this.#hashesOf([key]).some((hash) => declarations.isOwned(hash));
  }

  declarerOf(...spellings: readonly string[]): string | undefined {
    return this.#listen().declarations.declarerOf(...this.#hashesOf(spellings));
  }

  keeperOf(...spellings: readonly string[]): string | undefined {
    return this.#listen().declarations.keeperOf(...this.#hashesOf(spellings));
  }

  sharerOf(key: string): string | undefined {
    const { declarations } = this.#listen();
    return this.#hashesOf([key]).flatMap((hash) => declarations.sharerOf(hash) ?? [])[0];
  }

  #say(told: Told<readonly string[]>): void {
    this.#said.push(told);
    this.#write(told);
  }

  #write(told: Told<readonly string[]>): void {
    if (!this.#canShare()) return;
    const hashed = told.map((part) => (Array.isArray(part) ? this.#hashesOf(part) : part));
    quietly(() => appendFileSync(join(this.#folder, String(process.pid)), `${JSON.stringify(hashed)}\n`));
  }

  #canShare(): boolean {
    this.#isOpen ??= isOpened(this.#folder);
    return this.#isOpen;
  }

  #others(): string[] {
    const files = this.#canShare() ? filesOf(this.#folder) : [];
    return files.filter((pid) => pid !== String(process.pid) && isAlive(Number(pid)));
  }

  #listen(): Heard {
    const text = this.#others()
      .map((pid) => quietly(() => readFileSync(join(this.#folder, pid), "utf8")) ?? "")
      .join("");
    if (text !== this.#heard.text) this.#heard = { text, ...replayed(text) };
    return this.#heard;
  }
}

const pollMs = 50;

function replayed(text: string): Heard {
  const declarations = new Declarations();
  const removing = new Set<string>();
  // The last line may be half written.
  for (const line of text.split("\n").filter((one) => one.endsWith("]"))) {
    const told = JSON.parse(line) as Told<string[]>;
    if (told[0] === "declare") declarations.declare(told[1], told[2], told[3]);
    else if (told[0] === "own") declarations.own(told[1]);
    else if (told[0] === "takeOver") declarations.takeOver(told[1], told[2]);
    else for (const hash of told[1]) removing[told[0] === "removing" ? "add" : "delete"](hash);
  }
  return { declarations, removing };
}

const rootFolder = (): string => join(tmpdir(), `pulumi-dataplatform-${process.getuid?.() ?? "runs"}`);

/** Only where no other user can write. Without a folder, every process is for itself. */
function isOpened(folder: string): boolean {
  const made = quietly(() => {
    mkdirSync(rootFolder(), { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(rootFolder());
    if (process.getuid && (uid !== process.getuid() || (mode & 0o077) !== 0)) return false;
    mkdirSync(folder, { recursive: true });
    const own = join(folder, String(process.pid));
    rmSync(own, { force: true });
    process.once("exit", () =>
      quietly(() => {
        rmSync(own, { force: true });
        rmdirSync(folder);
      }),
    );
    return true;
  });
  if (made) tidy();
  return made ?? false;
}

/** Removes what runs have left behind whose processes were killed. */
function tidy(): void {
  for (const run of filesOf(rootFolder())) {
    const folder = join(rootFolder(), run);
    const processes = filesOf(folder);
    if (processes.length > 0 && !processes.some((pid) => isAlive(Number(pid))))
      quietly(() => rmSync(folder, { recursive: true, force: true }));
  }
}

function filesOf(folder: string): string[] {
  return quietly(() => readdirSync(folder)) ?? [];
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** What cannot be written or read must not fail the work: then it is as if there were no others. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
