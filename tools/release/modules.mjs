import { existsSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, posix } from "node:path";
import { ToolError } from "../lib/say.mjs";

/**
 * Follows what compiled modules require, by reading them: loading them would miss what they load later.
 * @param {string} root
 * @param {readonly string[]} entries paths in the project, with forward slashes
 * @param {readonly string[]} [leftOut] modules that are not followed
 * @returns {{ files: string[], packages: string[] }} the modules, and the packages that they name
 */
export function modulesFrom(root, entries, leftOut = []) {
  /** @type {Set<string>} */
  const files = new Set();
  /** @type {Set<string>} */
  const packages = new Set();
  const queue = [...entries];
  for (let file = queue.pop(); file; file = queue.pop()) {
    if (files.has(file) || leftOut.includes(file)) continue;
    files.add(file);
    for (const name of requiredBy(readFileSync(join(root, file), "utf8"))) {
      if (name.startsWith(".")) queue.push(resolve(root, file, name));
      else if (!isBuiltin(name)) packages.add(packageOf(name));
    }
  }
  return { files: [...files], packages: [...packages] };
}

/** @param {string} text */
function requiredBy(text) {
  const code = text.replace(/^\s*(\/\/|\*).*$/gm, "");
  return [...code.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = ""]) => name);
}

/** @param {string} name */
function packageOf(name) {
  return name.split("/", name.startsWith("@") ? 2 : 1).join("/");
}

/** @param {string} root @param {string} file @param {string} name */
function resolve(root, file, name) {
  const path = posix.join(posix.dirname(file), name);
  const found = [path, `${path}.js`, `${path}/index.js`].find(
    (candidate) => candidate.endsWith(".js") && existsSync(join(root, candidate)),
  );
  if (found) return found;
  throw new ToolError("MODULE_MISSING", `${file} requires ${name}, which is not there. Run: npm ci && npm run build`);
}
