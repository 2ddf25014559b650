import { describe, expect, test } from "vitest";
import { extendedRoutes } from "../../../emulator/extended";
import { routes } from "../../../emulator/routes";
import { control, emulate, send } from "./calls";

const specified = routes.map(({ operation }) => operation);
const extended = extendedRoutes.map(({ operation }) => operation);

async function documentOf(served: boolean | string[]) {
  await using emulator = await emulate({ extended: served });
  return (await control(emulator.url, "GET", "/openapi.json")).body;
}

test.each([
  ["without extended operations", false, specified],
  ["with all of them", true, [...specified, ...extended]],
  ["with some of them", ["dbTaps.view", "groups.list"], [...specified, "dbTaps.view", "groups.list"]],
])("the document of an emulator %s names what it serves, each path once", async (_title, served, expected) => {
  const { openapi, paths } = await documentOf(served);
  expect(openapi).toBe("3.1.0");
  const all = Object.values(paths as Record<string, Record<string, { operationId: string }>>);
  const ids = all.flatMap((item) => Object.values(item).map(({ operationId }) => operationId));
  expect(new Set(ids).size).toBe(ids.length);
  expect([...new Set(ids.map((id) => id.replace(/\.\d+$/, "")))].sort()).toEqual([...new Set(expected)].sort());
  for (const { method, paths: known, operation } of routes)
    for (const path of known)
      expect(paths[path.replace(/:(\w+)/g, "{$1}")][method.toLowerCase()].operationId).toMatch(`${operation}`);
});

test("the document contains the rules that the routes check, and the forms of their answers", async () => {
  const { paths } = await documentOf(true);
  const schema = ({ content }: { content: Record<string, { schema: unknown }> }) => content["application/json"]?.schema;
  const body = (path: string, method: string) => schema(paths[path][method].requestBody);
  const names = ({ parameters }: { parameters: { name: string }[] }) => parameters.map(({ name }) => name);
  expect(body("/api/v2/accounts", "post")).toHaveProperty("properties.account.properties.idle_session_timeout.maximum");
  expect(body("/api/v1.2/commands", "post")).toMatchObject({ anyOf: Array(3).fill(expect.anything()) });
  expect(body("/api/v1.2/object_policy/policy", "get")).toMatchObject({ required: ["source_id", "source_type"] });
  expect(body("/api/v1.2/package/{env_id}/remove_packages", "delete")).toHaveProperty("properties.package_names");
  expect(names(paths["/api/v1/commands"].get)).toContain("per_page");
  expect(paths["/api/v1.2/whitelist_ip/{id}"].delete.parameters).toMatchObject([{ name: "id", in: "path" }]);
  const list = paths["/api/v1.2/db_taps"].get;
  expect(names(list)).toEqual(["page", "per_page"]);
  expect(schema(list.responses[200])).toHaveProperty("properties.db_taps.items.properties.db_host");
  expect(body("/api/v1.2/db_taps/{id}", "put")).toHaveProperty("properties.gateway_ip");
  expect(body("/api/v1.2/db_taps/{id}", "put")).not.toHaveProperty("required");
  expect(paths["/api/v1.2/roles"].post.description).toContain('"creating roles"');
  expect(paths["/api/v1.2/object_policy/policy"].put.summary, "the extended one").toContain("environment");
  expect(Object.keys(paths["/api/v1.2/commands/{id}/logs"].get.responses[200].content)).toEqual(["text/plain"]);
});

describe("some extended operations", () => {
  test.each([[[]], [["dbTaps.view", "groups.list"]]])("are served, and no others: %j", async (names: string[]) => {
    await using own = await emulate({ extended: names });
    for (const { operation, method, paths } of extendedRoutes.filter((route) => !specified.includes(route.operation)))
      for (const path of paths.map((one) => one.replace(/:\w+/g, "1")))
        expect((await send(own.url, own.tokens.powerless, { method, path })).status, operation).toBe(
          names.includes(operation) ? 403 : 404,
        );
  });

  test("leave specified ones of the same paths as they are", async () => {
    await using own = await emulate({ extended: ["dbTaps.view"] });
    const add = { ip_cidr: "192.0.2.1", description: "an extended parameter" };
    const wrong = [
      await send(own.url, own.tokens.admin, { method: "POST", path: "/api/v1.2/whitelist_ip", body: add }),
      await send(own.url, own.tokens.admin, { method: "PUT", path: "/api/v1.2/db_taps" }),
    ];
    expect(wrong).toMatchObject([{ status: 422 }, { status: 405, headers: { allow: "POST" } }]);
  });

  test("a name that does not exist is an error that lists those that do", async () => {
    await expect(emulate({ extended: ["dbTaps.fly"] })).rejects.toThrow(/dbTaps\.fly; use some of .*dbTaps\.view/);
  });
});
