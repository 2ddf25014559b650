import { realpathSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { ToolError } from "../lib/say.mjs";
import { files, isExecutable, missingIn, versionOf } from "./layout.mjs";

const oldestSupported = { major: 3, minor: 150 };

/**
 * The engine's folder, or why there is none.
 * @typedef {{ folder: string } | { reason: string }} Found
 */

/**
 * The folder that the user sets. An invalid one is an error, because silently using another engine would surprise.
 * @param {readonly import("./layout.mjs").PartName[]} wanted
 * @returns {string | undefined}
 */
export function fromVariable(wanted) {
  const folder = process.env["DATAPLATFORM_ENGINE_DIR"];
  if (!folder) return undefined;
  const missing = missingIn(folder, wanted);
  if (missing.length === 0) return folder;
  throw new ToolError(
    "ENGINE_DIR_INCOMPLETE",
    `DATAPLATFORM_ENGINE_DIR is ${folder}, which has no executable ${missing.join(", ")}.\n` +
      "Point it at the bin folder of a Pulumi installation, or unset it.",
  );
}

/** @param {readonly import("./layout.mjs").PartName[]} wanted @returns {Promise<Found>} */
export async function fromPath(wanted) {
  const command = onPath(files.cli);
  if (!command) return { reason: "pulumi is not on PATH" };
  const folder = [dirname(command), dirname(realpathSync(command))].find((place) => !missingIn(place, wanted).length);
  if (!folder) {
    const missing = missingIn(dirname(command), wanted);
    return { reason: `${missing.join(", ")} missing next to ${command}` };
  }
  const version = await versionOf(folder);
  if (version && isSupported(version)) return { folder };
  const range = `${oldestSupported.major}.${oldestSupported.minor} or a later 3.x is needed`;
  return { reason: `${command} is version ${version ?? "unknown"}; ${range}` };
}

/** @param {string} version */
export function isSupported(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major === oldestSupported.major && minor >= oldestSupported.minor;
}

/** @param {string} name @returns {string | undefined} */
export function onPath(name) {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}
