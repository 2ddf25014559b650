const definitions = "zod provider/api provider/core provider/values provider/platform";
const pulumiStubs = "@pulumi/pulumi @grpc/grpc-js google-protobuf";
const command = "cli/terminal cli/report cli/pulumi cli/platform cli/inventory cli/errors cli/files cli/version";
/** A command that reads the platform by itself. */
const reader = `${command} ${definitions}`;

/**
 * The rooms, and what each may import besides itself: packages, and other rooms. A room is a folder, a module, or both.
 * Dependencies go one way, and no adapter (dynamic, plugin, local) and no command of the CLI imports another.
 */
const table: Readonly<Record<string, string>> = {
  "provider/api": "zod undici provider/values",
  "provider/values": "zod",
  "provider/core": "zod provider/api provider/values",
  "provider/platform": "zod provider/api provider/core provider/values",
  "provider/resources": definitions,
  "provider/functions": definitions,
  "provider/components": `${definitions} provider/resources`,
  "provider/engine": `${pulumiStubs} provider/core`,
  "provider/dynamic": "provider/api provider/core provider/engine provider/resources",
  // Construct runs the component's class, which is the same for every language.
  "provider/plugin": `${pulumiStubs} provider/api provider/core provider/engine provider/resources provider/functions provider/components sdk/components`,
  "provider/local": "provider/api provider/core provider/functions",
  "provider/environment-files": "provider/values yaml provider/core provider/components",
  // Functions run in the program's own process, and environments are checked there: sdk loads these when they are used.
  sdk: "@pulumi/pulumi provider/api/setting-specs provider/engine/plugin-search provider/local provider/environment-files provider/components",
  emulator: "zod",
  "cli/terminal": "provider/api/parallel",
  // The look of all pages, the emulator's console among them.
  "cli/report": "cli/errors cli/terminal emulator/page-style",
  "cli/pulumi": "zod yaml cli/terminal provider/api provider/core provider/resources",
  "cli/platform": "cli/errors cli/terminal cli/pulumi provider/api provider/core provider/functions provider/platform",
  "cli/inventory": "cli/terminal cli/pulumi cli/platform provider/api provider/core provider/platform provider/values",
  "cli/errors": "provider/values",
  "cli/files": "",
  "cli/version": "cli/terminal",
  // explain, without Pulumi: access is a report of what it says.
  "cli/access": `${reader} sdk/prepared-policy`,
  "cli/doctor": `${reader} provider/engine/plugin-search`,
  "cli/drift": reader,
  "cli/export": `${reader} provider/engine/plugin-search provider/environment-files provider/resources`,
  "cli/conform": `${reader} emulator/readings emulator/extended/readings`,
  // The stage of a rehearsal.
  "cli/rehearse": `${reader} yaml emulator`,
  // The rules themselves: a plan is judged without an engine.
  "cli/pipeline": `${command} yaml zod policies provider/api provider/core`,
  "cli/emulator": `${command} emulator`,
  "cli/main":
    "cli/access cli/doctor cli/drift cli/rehearse cli/export cli/conform cli/emulator cli/pipeline cli/errors cli/terminal cli/version",
  // Starts with every preview: only what loads without zod, and Pulumi's stubs.
  policies:
    "@pulumi/pulumi google-protobuf provider/core/engine-values provider/core/urn provider/engine/from-pulumi provider/engine/engine-watch provider/engine/grpc-server provider/values",
  "tools/generate":
    "typescript zod yaml policies provider/api/settings provider/api/operations provider/api/extended-operations provider/core provider/values provider/resources provider/functions provider/components",
};

export const rooms: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(table).map(([room, others]) => [room, others.split(" ").filter(Boolean)]),
);
