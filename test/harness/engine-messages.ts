/** Messages of Pulumi itself that the pages quote; test/release/plugin/options.test.ts sees each of them on the engine. */
export const engineMessages = [
  "no resource plugin 'pulumi-resource-dataplatform' found",
  "could not find latest version for provider dataplatform",
  "resource '203.0.113.7' does not exist",
  "method GenerateProgram not implemented",
];

/** The same of a pack as a folder; test/modes/policies/pack.test.ts sees it where the Node host is too old. */
export const folderPackMessage = "policy pack … failed to start: could not read plugin …: not supported";

/** The same of a program whose SDK names a version; the texts are in the CLI itself. */
export const versionedPluginMessage = "Could not automatically download and install resource plugin";

/** The same of a move to a stack with other settings; test/engine/promises/other-stack.test.ts sees it. */
export const otherSettingsMessage = "provider … already exists in destination stack";
