import { type SettingName, settingSpecs } from "../../provider/api/settings";
import { jsdoc, notice } from "./typescript";

const names = Object.keys(settingSpecs) as SettingName[];

/** `sdk/provider.ts`: the explicit provider, with all settings. */
export function providerClass(): string {
  return `${notice}import * as pulumi from "@pulumi/pulumi";
import { rememberSettings } from "./components/provider-settings";
import { advise } from "./mode";

/** The settings of a \`Provider\`. What is not given is taken from the environment, else from the defaults. */
export interface ProviderArgs {
${names.map((name) => `${jsdoc(doc(name))}${name}?: pulumi.Input<${settingSpecs[name].type}> | undefined;`).join("\n")}
}

/**
 * An account of a platform. Resources and functions that get it as their \`provider\` go to that account, through the
 * plugin; so one stack can manage several accounts.
 *
 * \`\`\`typescript
 * const other = new dataplatform.Provider("other", { baseUrl: "https://api.example.com", apiToken });
 * new dataplatform.WhitelistedIp("office", { ipCidr: "203.0.113.7" }, { provider: other });
 * \`\`\`
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    // What is no setting goes along: the provider says so.
    super("dataplatform", name, {
...args,
${names.map((name) => `${name}: ${value(name)},`).join("\n")}
    }, pulumi.mergeOptions(opts, { additionalSecretOutputs: ${JSON.stringify(secretNames())} }));
    advise("plugin");
    rememberSettings(this, args);
  }
}

/** Pulumi passes the settings of providers as text. */
function asText(setting: pulumi.Input<number | boolean> | undefined): pulumi.Output<string> | undefined {
  return setting === undefined ? undefined : pulumi.output(setting).apply((value) => JSON.stringify(value));
}
`;
}

function doc(name: SettingName): string {
  const spec = settingSpecs[name];
  const fallback = "default" in spec ? ` Default: ${spec.default}.` : "";
  return `${spec.doc} Environment variable: \`${spec.env}\`.${fallback}`;
}

function value(name: SettingName): string {
  if (secretNames().includes(name)) return `args.${name} === undefined ? undefined : pulumi.secret(args.${name})`;
  return settingSpecs[name].type === "string" ? `args.${name}` : `asText(args.${name})`;
}

function secretNames(): SettingName[] {
  return names.filter((name) => "secret" in settingSpecs[name]);
}
