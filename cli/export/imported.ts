import { isPlatformError } from "../../provider/api/errors";
import { Lifecycle } from "../../provider/core/lifecycle";
import type { Reader } from "../platform/connect";
import { definitionOf } from "../pulumi/declarable";

interface Named {
  readonly type: string;
  readonly id: string;
}

/** Something on the platform, as an import of it reads it. */
export interface Imported extends Named {
  readonly inputs: Record<string, unknown>;
}

/** What exists, but cannot be imported. */
export interface NotImported extends Named {
  readonly why: string;
}

/**
 * Reads what an import would read, with the resource's own definition: a program that declares just that shows no changes
 * afterwards. Undefined if it is gone. `warn` gets what this installation cannot show.
 */
export async function readAsImport(
  reader: Reader,
  { type, id }: Named,
  warn: (message: string) => void,
): Promise<Imported | NotImported | undefined> {
  const life = new Lifecycle(definitionOf(type), {
    client: () => reader.client,
    log: { info: () => {}, warn },
    extendedApi: () => reader.client.settings.extendedApi,
  });
  try {
    const found = await life.read(id, {});
    return found && { type, id: found.id, inputs: life.inputsOf(found.state) };
  } catch (error) {
    // Such as a system group, which no program can declare.
    if (!isPlatformError(error, "rejected")) throw error;
    return { type, id, why: error.message.replace(`cannot read ${type} ${id}: `, "") };
  }
}
