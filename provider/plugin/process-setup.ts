import Module from "node:module";
import { setFlagsFromString } from "node:v8";

/** Settings of the plugin's own process. Imported before anything that loads zod. */

/**
 * A provider is small and mostly waits; V8 would trade memory for speed that is not needed.
 * - The HTTP parser is WebAssembly, whose optimising compiler takes 35 MB.
 * - Most objects die young, so the young generation need not grow.
 * - A list of addresses outlives the young generation, and the next one replaces it: the old generation is nearly all
 *   garbage, and would double before it is collected.
 */
setFlagsFromString("--liftoff-only");
setFlagsFromString("--semi-space-growth-factor=1");
setFlagsFromString("--heap-growing-percent=30");

skipLocales();

/**
 * zod loads its messages in some fifty languages, a quarter of all that the plugin loads. English is the only one in
 * use, and is loaded by itself. In a program's process others may use zod too, so dynamic mode leaves them alone.
 */
function skipLocales(): void {
  try {
    const file = require.resolve("zod/v4/locales");
    require.cache[file] = Object.assign(new Module(file), { filename: file, loaded: true });
  } catch {
    // A version of zod without this file loads what it needs.
  }
}
