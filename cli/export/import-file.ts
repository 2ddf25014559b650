import { signatureKey, signatures } from "../../provider/core/engine-values";
import type { Adopter } from "../inventory/accounts";
import { nameOf } from "../pulumi/stack";
import { jsonText } from "../report/write";
import { type Declaration, isSecret } from "./known-inputs";

/** For `pulumi import --file`. `hasSecrets`: in plain text, which the user supplied. */
export function importFile(declarations: readonly Declaration[], { provider }: Adopter) {
  let hasSecrets = false;
  const table = provider === undefined ? undefined : { name: variableFor(provider, declarations), urn: provider };
  const resources = declarations.map(({ type, name, id, supplied = {} }) => {
    const inputs = Object.entries(supplied).map(([property, value]) => {
      if (!isSecret(type, property)) return [property, value];
      hasSecrets = true;
      return [property, { [signatureKey]: signatures.secret, plaintext: JSON.stringify(value) }];
    });
    return {
      type: `dataplatform:index:${type}`,
      name,
      id,
      ...(table ? { provider: table.name } : {}),
      ...(inputs.length > 0 ? { inputs: Object.fromEntries(inputs) } : {}),
    };
  });
  const file = { ...(table ? { nameTable: { [table.name]: table.urn } } : {}), resources };
  return { text: jsonText(file), hasSecrets };
}

/** Code that Pulumi writes has it as the provider's variable. Resources share the table; no name of theirs has an underscore. */
function variableFor(provider: string, declarations: readonly Declaration[]): string {
  const own = nameOf(provider).replace(/\W/g, "_");
  return /^\d/.test(own) || declarations.some(({ name }) => name === own) ? `provider_${own}` : own;
}
