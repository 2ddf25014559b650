import { describe, expect, test } from "vitest";
import { emulate, goodCalls, refusal, send } from "./calls";
import { testEmulator } from "./test-emulator";

const { emulator, get, post, put, account, control } = testEmulator({ clock: "manual", extended: true });

describe("packages", () => {
  const list = async (env: number | string) => (await get(`/package/${env}/list_packages`)).body;

  test("as requests: the last success and the last five failures, newest first", async () => {
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
    const { packages } = await list(403);
    expect(packages.python.map(({ id }: { id: number }) => id)).toEqual([8, 7, 6, 5, 4, 3]);
    expect(packages.r).toEqual([]);
  });

  test.each(["499", "abc"])("there is no environment %s", async (env) => {
    expect((await get(`/package/${env}/list_packages`)).status).toBe(404);
  });
});

describe("policies of folders", () => {
  const own = { location: "Users/owner@analytics.example.com/private", source_type: "Folder", type: "notes" };
  const view = (body: object) => get("/folders/policy", body);

  test.each([
    [{ location: "Common/nowhere" }, 404],
    [{ type: "notebook_dashboards" }, 404],
    [{ type: "jupyter_notebooks" }, 404],
    [{ type: "boards" }, 422],
    [{ source_type: "Note" }, 422],
    [{ location: undefined }, 422],
    [{ depth: 1 }, 422],
  ])("%j is %i", async (change, status) => {
    expect((await view({ ...own, ...change })).status).toBe(status);
  });
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

  test.each([
    [{ name: "a-b" }, 422],
    [{ type: "jupyter_notebooks" }, 422],
    [{ location: "Common/nowhere" }, 404],
    [{ location: "Users/nobody@example.com" }, 404],
  ])("creating with %j is %i", async (change, status) => {
    expect((await create({ name: "new", location: "Common", type: "notes", ...change })).status).toBe(status);
  });

  test("move with what is inside", async () => {
    const to = "Users/owner@analytics.example.com";
    expect((await move({ location: "Common/reports", destination_location: to, type: "notes" })).status).toBe(200);
    expect(locations()).toEqual(expect.arrayContaining([`${to}/reports`, `${to}/reports/weekly`]));
    expect(locations()).not.toContain("Common/reports");
  });

  test.each([
    [{ location: "Common/nowhere" }, 404],
    [{ destination_location: "Nowhere" }, 404],
    [{ destination_location: "Common/reports/weekly" }, 409],
  ])("moving with %j is %i", async (change, status) => {
    const body = { location: "Common/reports", destination_location: "Common", type: "notes", ...change };
    expect((await move(body)).status).toBe(status);
  });
});

const policy = [
  { access: "deny", action: ["read", "update", "delete", "manage", "all"], condition: { svc_groups: [203] } },
];
const source = { source_id: "401", source_type: "environment" };
const set = (change: object = {}, alias?: string) =>
  put("/object_policy/policy", { ...source, policy: JSON.stringify(policy), ...change }, alias);

test("the policy of an environment has the rules of the other objects", async () => {
  expect((await set({ source_id: "499" })).status).toBe(404);
  expect((await set({ policy: JSON.stringify([{ access: "allow", action: ["start"] }]) })).status).toBe(422);
  expect((await set({}, "user")).status).toBe(403);
  expect((await set({ source_id: "501", source_type: "note" }, "owner")).status).toBe(200);
  await using specified = await emulate();
  const call = { ...goodCalls["objectPolicy.set"]!, body: { ...source, policy: "[]" } };
  expect(await send(specified.url, specified.tokens.admin, call)).toMatchObject({
    status: 422,
    body: refusal(422, /source_type/),
  });
});

describe("Hive", () => {
  const hive = async (path: string) => (await get(`/hive/${path}`)).body;

  test("shows the columns, partitions and properties of a table", async () => {
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

  test.each(["sales/nothing", "nothing/orders", "nothing/tables_with_views", "sales/nothing/partitions"])(
    "there is no %s",
    async (path) => expect((await get(`/hive/${path}`)).status).toBe(404),
  );
});
