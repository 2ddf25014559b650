import { describe, expect, test } from "vitest";
import { operations } from "../../../provider/api/operations";
import { scriptedPlatform, token } from "./scripted-platform";

const { server, client } = scriptedPlatform();

describe("the response as it came", () => {
  test.each([
    [200, "not JSON at all"],
    [404, '{"error":"gone"}'],
    [422, ""],
  ])("status %s with %j is not an error", async (status, body) => {
    server.script({ status, body, headers: { "content-type": "text/odd" } });
    const answer = await client({ retries: 2 }).exchange(operations.listUsers, {});
    expect(answer).toMatchObject({ status, text: body, contentType: "text/odd" });
    expect(server.received).toHaveLength(1);
  });

  test("is retried like any other request, and the last one counts", async () => {
    server.script({ status: 429 }, { status: 503 }, { status: 200 });
    expect(await client({ retries: 2 }).exchange(operations.listUsers, {})).toMatchObject({ status: 200 });
    server.script({ status: 503, body: "busy" });
    expect(await client({ retries: 2 }).exchange(operations.listUsers, {})).toMatchObject({
      status: 503,
      text: "busy",
    });
    expect(server.received).toHaveLength(3);
  });

  test("a request that must not be carried out twice is not sent twice", async () => {
    server.script({ status: 503 });
    expect(await client({ retries: 2 }).exchange(operations.createDataStore, { body: {} })).toMatchObject({
      status: 503,
    });
    expect(server.received).toHaveLength(1);
  });

  test("takes headers of its own", async () => {
    server.script({});
    await client({ retries: 2 }).exchange(operations.listUsers, { headers: { "accept-encoding": "gzip" } });
    expect(server.received[0]!.headers).toMatchObject({ "accept-encoding": "gzip", "x-auth-token": token });
  });
});
