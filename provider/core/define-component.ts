import type { z } from "zod";
import type { CheckFailure } from "./check";
import type { Properties } from "./properties";

/**
 * A component: resources that belong together, declared as one. Its class in `sdk/components/` creates them; this is what
 * the generator, the plugin and the check of files must know about its arguments.
 */
export interface ComponentDefinition {
  /** PascalCase; the last part of the type token. */
  readonly type: string;
  /** First sentence: what it is. The rest: what a user must know. Markdown. */
  readonly doc: string;
  /** `.meta({ plain: true })` marks what must not be an output, because it decides which resources there are. */
  readonly inputs: z.ZodObject;
  readonly outputs: z.ZodObject;
  /** Everything that is wrong with its inputs, and with those of its resources, as far as they are known. */
  readonly check: (inputs: Properties) => CheckFailure[];
}
