import { z } from "zod";

/** The parameters that all commands share (part 4.2 of the specification). */
export const commonShape = {
  label: z.string().min(1).optional().describe("Cluster label on which the command runs"),
  name: z
    .string()
    .max(255)
    .regex(/^[^&<>"']*$/, "must not contain &, <, >, quotes or HTML tags")
    .optional()
    .describe("For filtering the history"),
  tags: z.array(z.string().max(255)).optional(),
  macros: z
    .array(
      z
        .record(z.string(), z.string())
        .refine((macro) => Object.keys(macro).length > 0, "must map a variable name to its expression"),
    )
    .optional(),
  timeout: z.int().min(1).optional().describe("Seconds; default 129600; checked every 60 seconds"),
};

export const defaultTimeout = 129_600;
