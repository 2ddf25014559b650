import { z } from "zod";
import { readingsSchema } from "./readings";

/** How a platform answers, as `dataplatform conform --profile-out` writes it. Other fields are for people. */
export const profileSchema = z.object({
  format: z.literal(1),
  readings: readingsSchema,
  /** Names of the extended operations that it has. */
  extended: z.array(z.string()).readonly(),
});

export type Profile = z.infer<typeof profileSchema>;

export function parseProfile(value: unknown): Profile {
  const result = profileSchema.safeParse(value);
  if (!result.success) throw new Error(`the profile is not valid:\n${z.prettifyError(result.error)}`);
  return result.data;
}
