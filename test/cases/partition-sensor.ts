import { expect } from "vitest";
import {
  accountIn,
  type EmulatorState,
  type LifecycleCase,
  replace,
  same,
  update,
  withExtendedApi,
} from "../harness/lifecycle";

export const ticks = (...values: unknown[]) => ({
  schema: "default",
  table: "daily_ticks",
  columns: [{ column: "dt", values }],
});
export const args = ticks("2024-01-01", "2024-01-02");
const views = { schema: "default", table: "page_views" };
const sensors = (state: EmulatorState) => accountIn(state).sensors;
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
    same("the same values as a bracketed string, in another order", column('[2024-01-02, "2024-01-01"]'), {
      "partitionSensor.create": 0,
    }),
    update("waiting for what is there", { ...args, wait: true }, { "partitionSensor.create": 1 }),
    update(
      "the other path",
      { ...args, wait: true, apiPath: "sensors/partition_sensor" },
      { "partitionSensor.create": 1 },
    ),
    replace(
      "another table and other columns",
      {
        ...views,
        columns: [
          { column: "dt", values: ["2024-01-01"] },
          { column: "country", values: "[de, fr]" },
        ],
      },
      { "partitionSensor.create": 1 },
      (state) => expect(sensors(state).at(-1)).toMatchObject({ status: true }),
    ),
  ],
  bad: [
    [{ ...args, schema: "" }, "schema", "must not be empty"],
    [{ ...args, table: "" }, "table", "must not be empty"],
    [{ ...args, columns: [{ column: "", values: ["a"] }] }, "columns[0].column", "must not be empty"],
    [
      { ...args, columns: [...args.columns, ...args.columns] },
      "columns",
      'lists column "dt" twice; list it once, with',
    ],
    [column("2024-01-01"), "columns[0].values", 'is "2024-01-01"; expected an array, or a string in brackets'],
    [{ ...args, wait: { intervalSeconds: 0.5 } }, "wait.intervalSeconds", "must be at least 1"],
    [{ ...args, wait: { timeoutSeconds: 0 } }, "wait.timeoutSeconds", "must be greater than 0"],
    [{ ...args, wait: "yes" }, "wait", 'must be a boolean or an object, but is "yes"'],
  ],
  badLater: {
    args: column({ $later: "2024-01-01" }),
    says: /columns\[0\]\.values .*is "2024-01-01"; expected an array/,
  },
  forbidden: { token: "powerless", says: "creating a sensor" },
};

// A sensor leaves nothing on the platform, with the extended API or without it.
export const extended = withExtendedApi(life, { absent: life.absent, changes: life.changes! });
