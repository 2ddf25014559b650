import * as dataplatform from "pulumi-dataplatform";

const schemaVersion = "7";

const migration = new dataplatform.Command("migration", {
  spark: { sql: "ALTER TABLE daily_ticks ADD COLUMNS (venue STRING)" },
  name: `migration to ${schemaVersion}`,
  triggers: { schemaVersion },
  wait: { timeoutSeconds: 600, intervalSeconds: 1 },
});

const copy = new dataplatform.Command(
  "copy",
  {
    s3DistCp: {
      src: "s3://analytics-exports/raw",
      dest: "s3://analytics-exports/by-day",
      groupBy: ".*/(\\d{4}-\\d{2}-\\d{2})-.*",
      targetSize: 128,
      outputCodec: "gz",
    },
    label: "default",
  },
  { dependsOn: [migration] },
);

export const migrated = migration.status;
export const copyLogs = copy.logsResource;
