import { z } from "zod";
import { extendedRoutes } from "./extended";
import { readingsSchema } from "./readings";
import type { Route } from "./router";

/** How a platform answers, as `dataplatform conform --profile-out` writes it. Other fields are for people. */
const profileSchema = z.object({
  format: z.literal(1),
  readings: readingsSchema,
  /** Names of the extended operations that it has. */
  extended: z.array(z.string()).readonly(),
  /** Names of those that it does not have. Earlier profiles have no such list: what is not `open` is lacking there. */
  lacking: z.array(z.string()).readonly().optional(),
  /** What was not determined, and why: nobody knows whether the platform has it. */
  open: z.object({ extended: z.record(z.string(), z.string()).optional() }).optional(),
});

export type Profile = z.infer<typeof profileSchema>;

export function parseProfile(value: unknown): Profile {
  const result = profileSchema.safeParse(value);
  if (!result.success) throw new Error(`the profile is not valid:\n${z.prettifyError(result.error)}`);
  return result.data;
}

interface PlayedExtended {
  /** What the emulator serves. */
  readonly served: readonly string[];
  /** What nobody has tried on the platform. Served if the platform has any extended operation. */
  readonly notTried: readonly string[];
}

/** Which extended operations the emulator plays for a profile. */
export function extendedOf({ extended, lacking, open }: Profile): PlayedExtended {
  const names = [...new Set(extendedRoutes.map(({ operation }) => operation))].filter(
    (name) => !extended.includes(name),
  );
  const notTried = lacking
    ? names.filter((name) => !lacking.includes(name))
    : names.filter((name) => Object.hasOwn(open?.extended ?? {}, name));
  return { served: extended.length > 0 ? [...extended, ...notTried] : [], notTried };
}

/** All extended operations, or those with these names: an installation may have some. */
export type ExtendedChoice = boolean | readonly string[];

export function chosenRoutes(choice: ExtendedChoice = false): readonly Route[] {
  if (typeof choice === "boolean") return choice ? extendedRoutes : [];
  const names = extendedRoutes.map(({ operation }) => operation);
  const unknown = choice.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new Error(`there is no extended operation ${unknown.join(", ")}; use some of ${names.join(", ")}`);
  return extendedRoutes.filter(({ operation }) => choice.includes(operation));
}
