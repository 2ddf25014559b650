import { expect } from "vitest";
import { type EmulatorState, type LifecycleCase, withExtendedApi } from "../harness/lifecycle";

export const ticks = (...values: unknown[]) => ({
  schema: "default",
  table: "daily_ticks",
  columns: [{ column: "dt", values }],
});
export const args = ticks("2024-01-01", "2024-01-02");
const views = { schema: "default", table: "page_views" };
const sensors = (state: EmulatorState) => state.accounts.find(({ id }) => id === 1001)!.sensors;
export const column = (values: unknown) => ({ ...args, columns: [{ column: "dt", values }] });

export const life: LifecycleCase = {
  type: "PartitionSensor",
  args,
  present: (state, id) => {
    expect(id).toBe("default.daily_ticks/dt=2024-01-01,2024-01-02");
    expect(sensors(state).at(-1)).toMatchObject({ table: "daily_ticks", status: true });
  },
  // There is nothing to remove, so destroy sends nothing.
  absent: (state) => expect(sensors(state).at(-1)).toMatchObject({ table: "page_views" }),
  changes: [
    {
      what: "the same values as a bracketed string, in another order",
      args: column('[2024-01-02, "2024-01-01"]'),
      expect: "same",
      calls: { "partitionSensor.create": 0 },
    },
    {
      what: "waiting for what is there",
      args: { ...args, wait: true },
      expect: "update",
      calls: { "partitionSensor.create": 1 },
    },
    {
      what: "the other path",
      args: { ...args, wait: true, apiPath: "sensors/partition_sensor" },
      expect: "update",
      calls: { "partitionSensor.create": 1 },
    },
    {
      what: "another table and other columns",
      args: {
        ...views,
        columns: [
          { column: "dt", values: ["2024-01-01"] },
          { column: "country", values: "[de, fr]" },
        ],
      },
      expect: "replace",
      calls: { "partitionSensor.create": 1 },
      after: (state) => expect(sensors(state).at(-1)).toMatchObject({ status: true }),
    },
  ],
  bad: [
    { what: "empty schema", args: { ...args, schema: "" }, property: "schema", says: "must not be empty" },
    { what: "empty table", args: { ...args, table: "" }, property: "table", says: "must not be empty" },
    { what: "no schema", args: { table: "t", columns: args.columns }, property: "schema", says: "is required" },
    {
      what: "empty column name",
      args: { ...args, columns: [{ column: "", values: ["a"] }] },
      property: "columns[0].column",
      says: "must not be empty",
    },
    {
      what: "the same column twice",
      args: { ...args, columns: [...args.columns, ...args.columns] },
      property: "columns",
      says: 'lists column "dt" twice; list it once, with all its values',
    },
    {
      what: "no values",
      args: { ...args, columns: [{ column: "dt" }] },
      property: "columns[0].values",
      says: "is required",
    },
    { what: "empty values", args: column([]), property: "columns[0].values", says: "at least one value" },
    { what: "empty brackets", args: column("[ ]"), property: "columns[0].values", says: "at least one value" },
    { what: "an empty value", args: column("[a,,b]"), property: "columns[0].values", says: "an empty value" },
    {
      what: "a string without brackets",
      args: column("2024-01-01"),
      property: "columns[0].values",
      says: 'is "2024-01-01"; expected an array, or a string in brackets',
    },
    {
      what: "unknown path",
      args: { ...args, apiPath: "/api/v1.2/partition_sensor" },
      property: "apiPath",
      says: 'expected one of "partition_sensor", "sensors/partition_sensor"',
    },
    {
      what: "too short an interval",
      args: { ...args, wait: { intervalSeconds: 0.5 } },
      property: "wait.intervalSeconds",
      says: "must be at least 1",
    },
    {
      what: "no time to wait",
      args: { ...args, wait: { timeoutSeconds: 0 } },
      property: "wait.timeoutSeconds",
      says: "must be greater than 0",
    },
    { what: "wait as text", args: { ...args, wait: "yes" }, property: "wait", says: 'must be a boolean, but is "yes"' },
  ],
  badLater: {
    args: column({ $later: "2024-01-01" }),
    property: "columns",
    says: /columns\[0\]\.values .*is "2024-01-01"; expected an array/,
  },
  forbidden: { token: "powerless", says: "creating a sensor" },
};

// A sensor leaves nothing on the platform, with the extended API or without it.
export const extended = withExtendedApi(life, {
  absent: (state) => expect(sensors(state).at(-1)).toMatchObject({ table: "page_views" }),
  changes: [
    { what: "waiting for what is there", args: { ...args, wait: true }, expect: "update" },
    {
      what: "another table",
      args: { ...views, columns: [{ column: "dt", values: ["2024-01-01"] }] },
      expect: "replace",
      after: (state) => expect(sensors(state).at(-1)).toMatchObject({ table: "page_views", status: true }),
    },
  ],
});
