import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, relative, sep } from "node:path";

/**
 * The entries of the PATH outside the working tree and outside any node_modules: a dependency can bring a program named
 * `git` or `pulumi`, and `npx` puts its folder first.
 */
export function trustedPath(env: NodeJS.ProcessEnv = process.env, tree: string = process.cwd()): string {
  const root = real(tree);
  const isTrusted = (entry: string): boolean => {
    if (!isAbsolute(entry)) return false;
    return [entry, real(entry)].every((path) => !path.split(sep).includes("node_modules") && !isInside(path, root));
  };
  return (env["PATH"] ?? "").split(delimiter).filter(isTrusted).join(delimiter);
}

/** The absolute path of a program. */
export function toolAt(name: string, path: string = trustedPath()): string {
  const endings = process.platform === "win32" ? [".exe", ".cmd", ""] : [""];
  for (const folder of path.split(delimiter).filter(Boolean))
    for (const ending of endings) {
      const file = join(folder, name + ending);
      if (isProgram(file)) return file;
    }
  throw new Error(
    `cannot run ${name}: it is not on the PATH, apart from the working tree and node_modules, where it is not looked for; install it`,
  );
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (!way.startsWith("..") && !isAbsolute(way));
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
