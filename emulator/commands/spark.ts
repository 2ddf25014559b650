import { z } from "zod";
import { invalid } from "../errors";
import { commonShape } from "./common";

export const sparkSchema = z.strictObject({
  command_type: z.literal("SparkCommand"),
  program: z.string().min(1).optional(),
  sql: z.string().min(1).optional(),
  language: z.enum(["scala", "python", "py", "R", "sql", "command_line"]).optional().describe("Case-sensitive"),
  script_location: z.string().min(1).optional(),
  arguments: z.string().optional(),
  user_program_arguments: z.string().optional(),
  cmdline: z.string().min(1).optional(),
  retry: z.int().min(1).max(3).optional(),
  retry_delay: z.int().min(0).optional(),
  app_id: z.string().min(1).optional(),
  pool: z.string().optional(),
  ...commonShape,
});

export type SparkParams = z.infer<typeof sparkSchema>;

const sources = ["program", "script_location", "cmdline", "sql"] as const;

/** Parameters that cannot be combined with `cmdline`. */
const excludedByCmdline = [
  "arguments",
  "user_program_arguments",
  "retry",
  "retry_delay",
  "app_id",
  "pool",
] as const satisfies (keyof SparkParams)[];

export function checkSpark(params: SparkParams): void {
  const given = sources.filter((name) => params[name] !== undefined);
  if (params.cmdline !== undefined) checkCmdline(params);
  if (given.length !== 1)
    throw invalid(
      `give exactly one of ${sources.join(", ")}; ${given.length ? given.join(" and ") : "none"} was given`,
    );
  if (params.program !== undefined && params.language === undefined)
    throw invalid("language: is required with program");
  if (params.sql !== undefined && params.language !== undefined && params.language !== "sql")
    throw invalid("sql: is allowed only when language is sql");
  if (params.app_id !== undefined && params.label === undefined) throw invalid("app_id: is used with label");
}

function checkCmdline(params: SparkParams): void {
  const other = [...sources, ...excludedByCmdline].find((name) => name !== "cmdline" && params[name] !== undefined);
  if (other !== undefined) throw invalid(`${other}: must not be used together with cmdline`);
  if (params.language !== undefined && params.language !== "command_line")
    throw invalid("language: must be command_line when cmdline is used");
}

export function sparkCommand(params: SparkParams): Record<string, unknown> {
  const names = [...sources, "language", ...excludedByCmdline] as const;
  return Object.fromEntries(names.filter((name) => name !== "pool").map((name) => [name, params[name] ?? null]));
}
