import { z } from "zod";

const types = ["mysql", "vertica", "mongo", "postgresql", "redshift", "snowflake"] as const;
/** Presto and Spark see only these. */
export const typesWithCatalog: readonly string[] = ["mysql", "postgresql", "redshift", "snowflake"];

export const databaseType = z.enum(types);
export const databaseLocation = z.enum(["us-east-1", "us-west-2", "ap-southeast-1", "eu-west-1", "on-premise"]);

export const catalogName = z.string().regex(/^[a-z0-9]+$/, {
  error: ({ input }) => `is ${JSON.stringify(input)}; use only lower-case letters and digits`,
});

/** The type in the program's spelling: platforms differ in case, and some write postgres. */
export function spelledType(type: string | null | undefined): string | null | undefined {
  const name = type?.toLowerCase() === "postgres" ? "postgresql" : type?.toLowerCase();
  return types.find((known) => known === name) ?? type;
}
