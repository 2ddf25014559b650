/**
 * A text with commands of ours as the reader can type them. Most start them with npx, and then `dataplatform` alone is not
 * on the PATH; without `--no-install`, npx would ask the registry for a package of that name outside the project.
 */
export function asTyped(text: string, env: NodeJS.ProcessEnv = process.env): string {
  if (env["npm_lifecycle_event"] !== "npx") return text;
  return text.replace(/(?<=^|["`]|\brun )dataplatform (?=[a-z<-])/gm, "npx --no-install dataplatform ");
}
