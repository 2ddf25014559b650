import { z } from "zod";

const id = z.int();
const text = z.string();
/** Nullable where the specification says so; whether such a field may be absent is a reading. */
const orNull = <T extends z.ZodType>(type: T) => type.nullish();
const timestamp = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, "expected YYYY-MM-DDTHH:MM:SSZ");

/** Section 2.1. */
const whitelistRecord = z.object({
  id,
  account_id: id,
  ip_cidr: text,
  created_at: timestamp,
  updated_at: timestamp,
});

export const whitelistList = z.object({ account_whitelisted_ips: z.array(whitelistRecord) });

/** The answer to a successful add or delete. */
export const whitelistStatus = z.object({ status: z.object({ status_code: z.literal(200), message: text }) });

/** Section 2.2. */
export const command = z.object({
  id,
  account_id: id,
  user_id: id,
  status: text,
  progress: z.int(),
  command_type: z.enum(["SparkCommand", "HadoopCommand", "HiveCommand"]),
  command: z.looseObject({}),
  created_at: timestamp,
  submit_time: z.int(),
  start_time: orNull(text),
  end_time: orNull(text),
  path: text,
  meta_data: z.object({
    logs_resource: z.string().regex(/^commands\/\d+\/logs$/, "expected commands/<command_id>/logs"),
    results_resource: z.string().regex(/^commands\/\d+\/results$/, "expected commands/<command_id>/results"),
  }),
  svc_session_id: orNull(z.int()),
  label: orNull(text),
  name: orNull(text),
  pool: orNull(text),
  timeout: orNull(z.int()),
  template: orNull(text),
  command_source: text,
  can_notify: z.boolean(),
  num_result_dir: z.int(),
  pid: orNull(z.int()),
  saved_query_mutable_id: orNull(z.int()),
});

/** History lists commands of every type. */
export const history = z.object({
  paging_info: z.object({ previous_page: orNull(z.int()), next_page: orNull(z.int()), per_page: z.int() }),
  commands: z.array(command.extend({ command_type: text })),
});

/** What a table refresh has in `command`. */
export const refreshCommand = z.object({
  command: z.object({
    sample: z.boolean(),
    approx_aggregations: z.boolean(),
    approx_mode: z.boolean(),
    query: text,
    loader_table_name: text,
    retry: z.int(),
    loader_stable: z.int(),
  }),
});

/** Section 2.3. How much of it the answer holds is a reading, so that only `id` must be there. */
export const dataStore = z
  .object({
    account_id: id,
    user_id: id,
    active: z.boolean(),
    name: text,
    db_name: text,
    db_host: text,
    db_user: text,
    db_passwd: text,
    db_type: text,
    db_location: text,
    port: orNull(z.int()),
    created_at: timestamp,
  })
  .partial()
  .extend({ id });

/** Section 2.4. */
export const account = z.object({
  id,
  name: text,
  storage_type: z.literal("CUSTOMER_MANAGED"),
  compute_type: z.literal("CUSTOMER_MANAGED"),
  storage_validated: z.boolean(),
  compute_validated: z.boolean(),
  is_aws_role_enabled: z.boolean(),
  idle_session_timeout: orNull(z.int()),
  storage_access_key: text,
  storage_secret_key: text,
  storage_location: text,
  authorized_ssh_key: orNull(text),
  compute_access_key: text,
  compute_secret_key: text,
});

/** Section 2.6. */
export const policy = z.array(
  z.object({
    access: z.enum(["allow", "deny"]),
    action: z.array(text).optional(),
    condition: z.object({ svc_users: z.array(id).optional(), svc_groups: z.array(id).optional() }).optional(),
  }),
);

/** Section 2.7. */
export const tableNames = z.array(text);
export const describedTable = z.object({ columns: z.array(z.object({ name: text, type: text })) });

/** Section 2.8: what an entry of get_users has at least. */
export const user = z.object({ id, user_id: id, email: text });

export const roleChange = z.object({ status: z.literal("done") });
export const sensorStatus = z.object({ status: z.enum(["true", "false"]) });
export const sensorError = z.object({ error: z.object({ error_code: z.literal(422), error_message: text }) });

/** Where an answer is not as the specification says: one text for each field, however often. */
export function problemsOf(json: unknown, schema: z.ZodType): string[] {
  const found = new Map<string, { message: string; count: number }>();
  for (const issue of schema.safeParse(json).error?.issues ?? []) {
    const where = pathText(issue.path);
    const message = issue.message.replace(/^Invalid (input|option): /, "");
    found.set(where, { message, count: (found.get(where)?.count ?? 0) + 1 });
  }
  return [...found].map(([where, { message, count }]) => `${where}${message}${count > 1 ? ` (${count} times)` : ""}`);
}

/** `commands[].id: `; names of fields only, no data. */
function pathText(path: readonly PropertyKey[]): string {
  const parts = path.map((part) => (typeof part === "number" ? "[]" : `.${String(part)}`));
  const text = parts.join("").replace(/^\./, "");
  return text === "" ? "" : `${text}: `;
}
