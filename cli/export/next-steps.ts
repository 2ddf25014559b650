import { nameOf } from "../pulumi/stack";
import { plural } from "../terminal/plural";
import { quoted } from "../terminal/quote";
import { packCommand } from "../version";
import { type Exported, folderIn, sharedPlatform } from "./files";
import { type Layout, moduleName } from "./layout";

const importFlags = "--generate-code=false --yes";

/** What to run after the export. */
export function nextSteps(exported: readonly Exported[], layout: Layout): string {
  const count = exported.reduce((sum, { plan }) => sum + plan.declarations.length, 0);
  const accounts = exported.length === 1 ? "" : ` of ${plural(exported.length, "account")}`;
  const steps = layout.kind === "module" ? inProject(exported, layout) : ownProject(exported, layout);
  return `${plural(count, "resource")}${accounts} written to ${layout.folder}. Next:\n\n${steps}`;
}

function ownProject(exported: readonly Exported[], { kind, folder }: Layout): string {
  const [only] = exported as readonly [Exported];
  const install = `  ${packCommand()}     # the package is in no registry\n  npm install\n`;
  const start = `  cd ${quoted(folder)}\n${kind === "project" ? install : ""}`;
  if (exported.length === 1)
    return `${start}${kind === "project" ? "  pulumi stack init dev\n  pulumi config set --secret dataplatform:apiToken     # or DATAPLATFORM_API_TOKEN\n" : ""}${secretsOf(only)}  pulumi import --file import.json ${importFlags}
  pulumi preview --expect-no-changes
`;
  const labels = exported.map(({ target }) => target.label);
  const address = sharedPlatform(exported)
    ? ""
    : "    pulumi config set dataplatform:baseUrl --stack $account              # its platform\n";
  const secrets = exported.flatMap((one) => secretsOf(one, ` --stack ${one.target.label}`)).join("");
  return `${start}
Then, for each account, a stack of its own:

  for account in ${labels.join(" ")}; do
    pulumi stack init $account
${address}    pulumi config set --secret dataplatform:apiToken --stack $account    # a token of that account
  done
${secrets}  for account in ${labels.join(" ")}; do
    pulumi import --file accounts/$account/import.json ${importFlags} --stack $account
    pulumi preview --expect-no-changes --stack $account
  done
`;
}

function inProject(exported: readonly Exported[], layout: Layout): string {
  const lines = exported.map(({ target }) => {
    const { provider } = target.account.adopter;
    const label = variable(target.label);
    // Not the name of the variable that holds the provider.
    const name = provider !== undefined && variable(nameOf(provider)) === label ? `${label}Resources` : label;
    const folder = moduleName(layout, exported.length === 1 ? "" : target.label);
    const options = provider === undefined ? "" : `{ provider: ${variable(nameOf(provider))} }`;
    return `  import { resources as ${name} } from ${JSON.stringify(folder)};\n  ${name}(${options});\n`;
  });
  const commands = exported.map((one) => {
    const { stack } = one.target.account.adopter;
    const on = stack === undefined ? "" : ` --stack ${quoted(stack)}`;
    const file = `${moduleName(layout)}/${folderIn(one.target, layout, exported.length)}import.json`;
    const mode = one.target.isDynamic
      ? `  pulumi config set dataplatform:mode plugin${on}     # an import goes through the plugin; see docs/modes.md#import\n`
      : "";
    return `${mode}${secretsOf(one, on)}  pulumi import --file ${quoted(file)} ${importFlags}${on}\n`;
  });
  const stacks = new Set(exported.map(({ target }) => target.account.adopter.stack));
  const previews = [...stacks].map(
    (stack) => `  pulumi preview --expect-no-changes${stack === undefined ? "" : ` --stack ${quoted(stack)}`}\n`,
  );
  const isProvided = exported.some(({ target }) => target.account.adopter.provider !== undefined);
  return `Add to the program${isProvided ? ", where it has the provider" : ""}:

${lines.join("")}
Then, in ${layout.project}:

${commands.join("")}${previews.join("")}`;
}

function secretsOf({ plan }: Exported, on = ""): string {
  return plan.requiredSecrets.map((key) => `  pulumi config set --secret ${key}${on} < FILE\n`).join("");
}

/** A name for TypeScript. */
function variable(name: string): string {
  const words = name.replace(/[^A-Za-z0-9]+(\w)?/g, (_, letter: string | undefined) => letter?.toUpperCase() ?? "");
  return /^[A-Za-z]/.test(words) ? words : `account${words}`;
}
