import type { Emulator } from "../../../emulator";
import { request } from "../../harness/http";
import { token } from "./world";

/** What a user does whom an error tells what to do. */

/** As the error about what is there already advises. */
export function adopting<Declared extends { readonly args: Readonly<Record<string, unknown>> }>(
  one: Declared,
): Declared {
  return "adopt" in one.args ? { ...one, args: { ...one.args, adopt: true } } : one;
}

/** What a person would do in the user interface. */
export async function removeLeftover(emulator: Emulator, text: string): Promise<void> {
  const [, leftover] = /data store (\d+) .*already exists/.exec(text) ?? [];
  if (leftover) await request(emulator, "DELETE", `/api/v1.2/db_taps/${leftover}`, undefined, token);
}
