import { describe, expect, test } from "vitest";
import { testEmulator } from "./calls";

const { emulator, get, post, put, account, control } = testEmulator({ clock: "manual", extended: true });

test("packages as requests: the last success and the last five failures, newest first", async () => {
  const request = (id: number, status: string, source_type = "python_package") => ({
    id,
    source_type,
    package_names: `p${id}`,
    status,
    created_at: "2024-01-01T00:00:00Z",
  });
  const requests = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => request(id, id === 2 || id === 5 ? "success" : "failed"));
  await control("PUT", "/state/environments", { id: 403, name: "bare", requests });
  emulator.setReadings({ packageEntries: "requests" });
  const { packages } = (await get("/package/403/list_packages")).body;
  expect(packages.python.map(({ id }: { id: number }) => id)).toEqual([8, 7, 6, 5, 4, 3]);
  expect(packages.r).toEqual([]);
});

describe("folders", () => {
  const create = (body: object) => post("/folders/", body);
  const move = (body: object) => post("/folders/move", body);
  const locations = () => account().folders.map(({ location }) => location);

  test("are created in the user's own place, or where the request says", async () => {
    expect((await create({ name: "mine", type: "notes" })).status).toBe(200);
    expect((await create({ name: "deep", location: "Common/reports", type: "notes" })).status).toBe(200);
    expect(locations()).toEqual(
      expect.arrayContaining(["Users/admin@analytics.example.com/mine", "Common/reports/deep"]),
    );
    expect((await create({ name: "mine", type: "notes" })).status).toBe(409);
  });

  test("move with what is inside", async () => {
    const to = "Users/owner@analytics.example.com";
    expect((await move({ location: "Common/reports", destination_location: to, type: "notes" })).status).toBe(200);
    expect(locations()).toEqual(expect.arrayContaining([`${to}/reports`, `${to}/reports/weekly`]));
    expect(locations()).not.toContain("Common/reports");
  });
});

test("no user of system-user may set the policy of an environment", async () => {
  const body = { source_type: "environment", source_id: "401", policy: "[]" };
  expect((await put("/object_policy/policy", body, "user")).status).toBe(403);
});

const hive = async (path: string) => (await get(`/hive/${path}`)).body;

test("Hive shows the columns, partitions and properties of a table", async () => {
  expect(await hive("events/clicks")).toEqual([
    { name: "user_id", type: "bigint", comment: null },
    { name: "hour", type: "int", comment: null },
    { name: "dt", type: "string", comment: null },
  ]);
  const location = "s3://analytics-logs/default/warehouse/events.db/clicks";
  expect(await hive("events/clicks/partitions")).toEqual([
    { PART_NAME: "dt=2024-02-01/hour=0", LOCATION: `${location}/dt=2024-02-01/hour=0` },
    { PART_NAME: "dt=2024-02-01/hour=1", LOCATION: `${location}/dt=2024-02-01/hour=1` },
  ]);
  expect(await hive("default/customers/partitions")).toEqual([]);
  expect(await hive("events/clicks/table_properties")).toMatchObject({ location, "create-time": expect.any(Number) });
});
