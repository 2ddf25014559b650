import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Emulator } from "../../../emulator";
import { extendedRoutes } from "../../../emulator/extended";
import { routes } from "../../../emulator/routes";
import { control, emulate, send } from "./calls";

let plain: Emulator;
let extended: Emulator;

beforeAll(async () => {
  plain = await emulate();
  extended = await emulate({ extended: true });
});
afterAll(() => Promise.all([plain.close(), extended.close()]));

const specified = new Set(routes.map(({ operation }) => operation));

/** The operations that only an extended installation has, each with its paths. */
const additional = extendedRoutes
  .filter(({ operation }) => !specified.has(operation))
  .flatMap(({ operation, method, paths }) => paths.map((path) => ({ operation, method, path })));

const callOf = ({ method, path }: (typeof additional)[number]) => ({ method, path: path.replace(/:\w+/g, "1") });

const operationsOf = async ({ url }: Emulator): Promise<Set<string>> => {
  const { paths } = (await control(url, "GET", "/openapi.json")).body as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const ids = Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));
  expect(new Set(ids).size).toBe(ids.length);
  return new Set(ids.map((id) => id.replace(/\.\d+$/, "")));
};

test("operations have unique names, and say which permission they need", () => {
  const names = extendedRoutes.map(({ operation }) => operation);
  expect(new Set(names).size).toBe(names.length);
  expect(extendedRoutes.filter(({ access }) => !access.permission)).toEqual([]);
});

describe.each(additional)("$operation, $method $path", (operation) => {
  test("is unknown without --extended, whoever asks", async () => {
    for (const token of [plain.tokens.admin, plain.tokens.powerless, "wrong"])
      expect((await send(plain.url, token, callOf(operation))).status).toBe(404);
    expect(plain.requests(1).requests[0]?.operation).toBe("unknown");
  });

  test("exists with it, and needs a token", async () => {
    expect((await send(extended.url, "wrong", callOf(operation))).status).toBe(401);
    expect(extended.requests(1).requests[0]?.operation).toBe(operation.operation);
  });
});

describe("the OpenAPI document", () => {
  test("names the extended operations only where they are served", async () => {
    const names = additional.map(({ operation }) => operation);
    expect([...(await operationsOf(plain))].sort()).toEqual([...specified].sort());
    expect([...(await operationsOf(extended))].sort()).toEqual([...new Set([...specified, ...names])].sort());
  });

  test("has their parameters and answers", async () => {
    const { paths } = (await control(extended.url, "GET", "/openapi.json")).body;
    const list = paths["/api/v1.2/db_taps"].get;
    expect(list.parameters.map(({ name }: { name: string }) => name)).toEqual(["page", "per_page"]);
    const answer = list.responses[200].content["application/json"].schema;
    expect(answer.properties.db_taps.items.properties).toHaveProperty("db_host");
    const edit = paths["/api/v1.2/db_taps/{id}"].put.requestBody.content["application/json"].schema;
    expect(edit.properties).toHaveProperty("gateway_ip");
    expect(edit).not.toHaveProperty("required");
    expect(paths["/api/v1.2/roles"].post.description).toContain('"creating roles"');
  });
});

describe("some of them", () => {
  const names = ["dbTaps.view", "groups.list"];

  test("are served, and no others", async () => {
    await using own = await emulate({ extended: names });
    for (const operation of additional) {
      const { status } = await send(own.url, own.tokens.powerless, callOf(operation));
      expect(status, operation.operation).toBe(names.includes(operation.operation) ? 403 : 404);
    }
    expect([...(await operationsOf(own))].sort()).toEqual([...specified, ...names].sort());
  });

  test("a name that does not exist is an error that lists those that do", async () => {
    await expect(emulate({ extended: ["dbTaps.fly"] })).rejects.toThrow(/dbTaps\.fly; use some of .*dbTaps\.view/);
  });
});

test("without --extended the specified operations of the same paths work as before", async () => {
  const body = { db_name: "shop", db_host: "db.example.com" };
  expect((await send(plain.url, plain.tokens.admin, { method: "POST", path: "/api/v1.2/db_taps", body })).status).toBe(
    200,
  );
  const wrong = await send(plain.url, plain.tokens.admin, { method: "PUT", path: "/api/v1.2/db_taps" });
  expect([wrong.status, wrong.headers["allow"]]).toEqual([405, "POST"]);
});
