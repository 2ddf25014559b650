import type { z } from "zod";
import { invalid } from "../errors";
import { withoutFinalSlashes } from "../expressions";
import type { CommandRecord } from "../records";
import type { Context } from "../router";
import { planLife, ruleFor } from "./life";
import { type RefreshParams, refreshCommand, refreshSchema } from "./refresh";
import { argumentText, copyFailure, type HadoopParams, hadoopSchema, readCopyOptions } from "./s3distcp";
import { checkSpark, type SparkParams, sparkCommand, sparkSchema } from "./spark";

export type Submission = SparkParams | HadoopParams | RefreshParams;

/** The template, or else the command type, decides the kind of a submission. */
export function schemaFor(body: Record<string, unknown>): z.ZodType<Submission> {
  if (body.template !== undefined) return refreshSchema;
  if (body.command_type === "SparkCommand") return sparkSchema;
  if (body.command_type === "HadoopCommand") return hadoopSchema;
  if (body.command_type === "HiveCommand") throw invalid("template: must be s3import for a HiveCommand");
  throw invalid("command_type: must be SparkCommand or HadoopCommand, or template must be s3import");
}

interface Prepared {
  command_type: CommandRecord["command_type"];
  command: Record<string, unknown>;
  output: string | null;
  failure: string | null;
  pool: string | null;
  template: string | null;
}

function prepare(context: Context, params: Submission): Prepared {
  const blank = { output: null, failure: null, pool: null, template: null };
  if ("template" in params)
    return {
      ...blank,
      command_type: "HiveCommand",
      command: refreshCommand(params),
      template: params.template,
      failure: refreshFailure(context, params),
    };
  if (params.command_type === "SparkCommand") {
    checkSpark(params);
    return { ...blank, command_type: "SparkCommand", command: sparkCommand(params), pool: params.pool ?? null };
  }
  const copy = readCopyOptions(params);
  const { encryptedBuckets } = context.account;
  return {
    ...blank,
    command_type: "HadoopCommand",
    command: { sub_command: params.sub_command, sub_command_args: argumentText(params) },
    output: copy.dest,
    failure: copyFailure(copy, { encryptedBuckets, exists: (location) => outputExists(context, location) }),
  };
}

function refreshFailure({ store, account }: Context, { db_name, hive_table }: RefreshParams): string | null {
  const table = `${db_name}.${hive_table}`;
  return store.get("hiveTables", account.id, table) ? null : `table ${table} is absent from the metastore`;
}

/** Folders of the seed, and those that earlier copies created or will create. */
function outputExists({ store, account }: Context, location: string): boolean {
  const wanted = withoutFinalSlashes(location);
  const same = (other: string | null) => other !== null && withoutFinalSlashes(other) === wanted;
  return (
    account.existingPaths.some(same) ||
    store.list("commands", account.id).some(({ output, plan }) => same(output) && plan.outcome === "done")
  );
}

export function submit(context: Context, params: Submission): CommandRecord {
  const { store, clock, account, user } = context;
  const { failure, ...prepared } = prepare(context, params);
  const now = clock.now();
  const timeout = params.timeout ?? null;
  const matchable = { name: params.name ?? null, tags: params.tags ?? [], command: prepared.command };
  return store.put("commands", account.id, {
    id: store.nextId("commands"),
    user_id: user.user_id,
    ...prepared,
    ...matchable,
    submitted: now,
    label: params.label ?? "default",
    timeout,
    macros: params.macros ?? [],
    plan: planLife({
      now,
      settings: store.settings,
      timeout,
      rule: ruleFor(store.settings.outcomes, matchable),
      failure,
    }),
  });
}
