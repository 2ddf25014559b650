/**
 * What is compared. `limit` names the no-op provider of the same mode, which shows the engine's own cost.
 * @typedef {object} Variant
 * @property {string} title
 * @property {string} program a file of programs/
 * @property {string} [limit]
 * @property {boolean} [callsPlatform]
 * @property {"noop" | "ours"} [plugin]
 * @property {RegExp} process how the provider process is recognised
 * @property {boolean} [terraform]
 */

/** @type {Record<string, Variant>} */
export const variants = {
  "noop-dynamic": { title: "does nothing, dynamic", program: "noop.js", process: /cmd\/dynamic-provider/ },
  "noop-plugin": {
    title: "does nothing, plugin",
    program: "noop-plugin.js",
    plugin: "noop",
    process: /noop-plugin-server/,
  },
  "ours-dynamic": {
    title: "ours, dynamic",
    program: "ours.js",
    limit: "noop-dynamic",
    callsPlatform: true,
    process: /cmd\/dynamic-provider/,
  },
  "ours-plugin": {
    title: "ours, plugin",
    program: "ours.js",
    limit: "noop-plugin",
    callsPlatform: true,
    plugin: "ours",
    process: /provider\/plugin\/main/,
  },
  "ours-set": {
    title: "ours, one IpWhitelist",
    program: "ours-set.js",
    callsPlatform: true,
    process: /cmd\/dynamic-provider/,
  },
  naive: {
    title: "naive dynamic provider",
    program: "naive.js",
    limit: "noop-dynamic",
    callsPlatform: true,
    process: /cmd\/dynamic-provider/,
  },
  terraform: { title: "Terraform, does nothing", program: "", terraform: true, process: /^$/ },
};
