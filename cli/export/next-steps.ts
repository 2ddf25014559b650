import { pluginSetting } from "../../provider/engine/plugin-search";
import { snake } from "../../provider/values/python";
import { readProject } from "../pulumi/project";
import { onStack } from "../pulumi/run";
import { nameOf } from "../pulumi/stack";
import { plural } from "../terminal/plural";
import { quoted } from "../terminal/quote";
import { packCommand } from "../version";
import { type Exported, folderIn, sharedPlatform } from "./files";
import { type Layout, moduleName } from "./layout";
import { pythonName } from "./python";
import type { Target } from "./targets";

const importFlags = "--generate-code=false --yes";

/** What to run after the export. */
export function nextSteps(exported: readonly Exported[], layout: Layout): string {
  const count = exported.reduce((sum, { plan }) => sum + plan.declarations.length, 0);
  const accounts = exported.length === 1 ? "" : ` of ${plural(exported.length, "account")}`;
  const steps = stepsFor[layout.kind](exported, layout);
  return `${plural(count, "resource")}${accounts} written to ${layout.folder}. Next:\n\n${steps}`;
}

const stepsFor = { project: ownProject, root: ownProject, module: inProject, imports: importSteps };

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
  const lines = exported.map(({ target }) => callOf(target, layout, exported.length));
  const commands = exported.map((one) => {
    const on = onStackOf(one);
    const file = importFileOf(one, layout, exported.length);
    // A program in another language always goes through the plugin.
    const mode =
      one.target.isDynamic && layout.language === "nodejs"
        ? `  pulumi config set dataplatform:mode plugin${on}     # an import goes through the plugin; see docs/modes.md#import\n`
        : "";
    return `${mode}${secretsOf(one, on)}  pulumi import --file ${quoted(file)} ${importFlags}${on}\n`;
  });
  const stacks = new Set(exported.map(({ target }) => target.account.adopter.stack));
  const previews = [...stacks].map((stack) => `  pulumi preview --expect-no-changes${onStack(stack)}\n`);
  const isProvided = exported.some(({ target }) => target.account.adopter.provider !== undefined);
  const isNamed = layout.language !== "nodejs" || readProject(layout.project).pluginFolder !== undefined;
  const needsPlugin = !isNamed && exported.some(({ target }) => target.isDynamic);
  const plugin = needsPlugin ? `\nAdd to the project file, for the import:\n\n  ${pluginSetting}\n` : "";
  const importPulumi = layout.language === "python" ? "import pulumi" : 'import * as pulumi from "@pulumi/pulumi"';
  const needsPulumi = [...stacks].some((stack) => stack !== undefined) ? ` (which needs ${importPulumi})` : "";
  return `Add to the program${needsPulumi}${isProvided ? ", where it has the provider" : ""}:

${lines.join("")}${plugin}
Then, in ${layout.project}:

${commands.join("")}${previews.join("")}`;
}

/** How the program calls the module of an account: in this stack only, as others of the same program do not have it. */
function callOf({ account, label }: Target, layout: Layout, count: number): string {
  const { provider, stack } = account.adopter;
  const isPython = layout.language === "python";
  const toName = isPython ? (name: string) => pythonName(snake(variable(name))) : variable;
  const folder = moduleName(layout, folderIn({ label }, layout, count));
  // Not after the account: a program may have several exports of one.
  const own = toName(folder.replace(/^[./]+|\/$/g, "").replaceAll("/", "-"));
  const holder = provider === undefined ? undefined : toName(nameOf(provider));
  // Not the name of the variable that holds the provider.
  const name = holder === own ? `${own}${isPython ? "_resources" : "Resources"}` : own;
  if (!isPython) {
    const options = holder === undefined ? "" : `{ provider: ${holder} }`;
    const when = stack === undefined ? "" : `if (pulumi.getStack() === ${JSON.stringify(shortStack(stack))}) `;
    return `  import { resources as ${name} } from ${JSON.stringify(folder)};\n  ${when}${name}(${options});\n`;
  }
  const options = holder === undefined ? "" : `pulumi.ResourceOptions(provider=${holder})`;
  const when = stack === undefined ? "" : `if pulumi.get_stack() == ${JSON.stringify(shortStack(stack))}: `;
  return `  from ${folder.slice(2).replaceAll("/", ".")} import resources as ${name}\n  ${when}${name}(${options})\n`;
}

/** As the program sees it, without the organization and the project. */
const shortStack = (stack: string): string => stack.slice(stack.lastIndexOf("/") + 1);

/** For a language that we do not write: Pulumi's language host writes the declarations, if it can. */
function importSteps(exported: readonly Exported[], layout: Layout): string {
  const { language, project } = layout;
  const commands = (flags: (index: string) => string) =>
    exported
      .map((one, index) => {
        const file = quoted(importFileOf(one, layout, exported.length));
        return `  pulumi import --file ${file} ${flags(index === 0 ? "" : `-${index + 1}`)} --yes${onStackOf(one)}\n`;
      })
      .join("");
  const written = commands((index) => `--out imported${index}.${language === "yaml" ? "yaml" : "txt"}`);
  const secrets = exported.flatMap(({ plan }) => plan.requiredSecrets);
  const toAdd = secrets.length === 0 ? "" : `The declarations also need, as secrets: ${secrets.join(", ")}.\n`;
  if (language === "yaml")
    return `In ${project}, import them; Pulumi writes their declarations to a file:

${written}
Add what it has written to the program before the next "pulumi up", which would otherwise want to delete them.
${toAdd}`;
  return `Export writes declarations in TypeScript and Python only, so ${layout.folder} has only what Pulumi needs to import them.
In ${project}, with a Pulumi from pulumi.com, which also writes the declarations in ${language} to a file:

${written}
The Pulumi that "npm run engine" builds cannot write them, and would fail after the import. With that one:

${commands(() => "--generate-code=false")}
Declare them in the program, with the names in import.json and protected, before the next "pulumi up", which would
otherwise want to delete them. Each resource's page shows how: docs/resources.
${toAdd}`;
}

function importFileOf({ target }: Exported, layout: Layout, count: number): string {
  return moduleName(layout, `${folderIn(target, layout, count)}import.json`);
}

const onStackOf = ({ target }: Exported): string => onStack(target.account.adopter.stack);

function secretsOf({ plan }: Exported, on = ""): string {
  return plan.requiredSecrets.map((key) => `  pulumi config set --secret ${key}${on} < FILE\n`).join("");
}

/** A name for TypeScript. */
function variable(name: string): string {
  const words = name.replace(/[^A-Za-z0-9]+(\w)?/g, (_, letter: string | undefined) => letter?.toUpperCase() ?? "");
  return /^[A-Za-z]/.test(words) ? words : `account${words}`;
}
