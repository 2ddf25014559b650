import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { ErrorCode, PlatformError } from "../../../provider/api/errors";
import { operations } from "../../../provider/api/operations";
import { largestAnswerBytes } from "../../../provider/api/transport";
import { type ScriptedAnswer, ScriptedServer } from "../../harness/scripted-server";
import { scriptedPlatform, token } from "./scripted-platform";

const anything = z.looseObject({});
const { server, client } = scriptedPlatform();

async function failure(work: Promise<unknown>): Promise<PlatformError> {
  try {
    await work;
  } catch (error) {
    return error as PlatformError;
  }
  throw new Error("should have failed");
}

const get = (api = client()) => api.call(operations.listUsers, { answer: anything });
const post = (api = client()) =>
  api.call(operations.addWhitelistedIp, { body: { ip_cidr: "203.0.113.7" }, answer: anything });
const put = (api = client()) => api.call(operations.renameFolder, { body: { name: "a" }, answer: anything });
const remove = (api = client()) =>
  api.call(operations.deleteWhitelistedIps, { path: { ids: "1,2" }, answer: anything });
const methods = { GET: get, POST: post, PUT: put, DELETE: remove };

describe("requests", () => {
  test("a base URL with a path keeps it", async () => {
    server.script({});
    await get(client({ baseUrl: `${server.url}/tenant` }));
    expect(server.received[0]!.url).toBe("/tenant/api/v1.2/accounts/get_users");
  });

  test.each(["a/b", "a b", "ä%2F", "../../x", "new\nline", "?x=1#y"])(
    "role %j stays one path segment",
    async (role) => {
      server.script({});
      await client().call(operations.assignRole, { path: { groupId: 1, role }, body: {}, answer: anything });
      const { url } = server.received[0]!;
      expect(url).toMatch(/^\/api\/v1\.2\/groups\/1\/roles\/[^/?#]+\/assign$/);
      expect(decodeURIComponent(url.split("/").at(-2)!)).toBe(role);
    },
  );

  test.each([".", "..", "", "\ud800"])("role %j is rejected before anything is sent", async (role) => {
    server.script({});
    const error = await failure(
      client().call(operations.assignRole, { path: { groupId: 1, role }, body: {}, answer: anything }),
    );
    expect(error.code).toBe("invalid-path");
    expect(server.received).toEqual([]);
  });

  test("are spaced when a rate is set", async () => {
    server.script({});
    const api = client({ requestsPerSecond: 50 });
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 6 }, () => get(api)));
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(90);
  });
});

describe("retries", () => {
  const saying = (message: string) => JSON.stringify({ error: { error_code: 1, error_message: message } });
  const locks = [
    "Environment is busy: another operation is in progress",
    "an installation is already in progress in this environment",
    "the environment is being updated",
    "The resource is currently busy, please try again later",
  ];
  const wrongInputs = [
    "name: busy is taken, please try again with another one",
    "status must not be one of busy, in progress",
    "invalid package: the request in progress names pandas twice",
    "retry_policy: required",
    "another role called work in progress exists",
    "description: is busy-making is not valid",
  ];
  const cases: [keyof typeof methods, string, ScriptedAnswer, number][] = [
    ...(["GET", "POST", "PUT", "DELETE"] as const).flatMap((method) => [
      [method, "429", { status: 429 }, 2] as const,
      [method, "503", { status: 503 }, method === "POST" ? 1 : 2] as const,
      [method, "500", { status: 500 }, method === "POST" ? 1 : 2] as const,
      [method, "502 with HTML", { status: 502, body: "<h1>Bad gateway</h1>" }, method === "POST" ? 1 : 2] as const,
      [method, "a broken connection", { reset: true }, method === "POST" ? 1 : 2] as const,
      [method, "HTML with 200", { body: "<html>" }, method === "POST" ? 1 : 2] as const,
      [method, "400", { status: 400 }, 1] as const,
      [method, "422", { status: 422 }, 1] as const,
      [method, "409", { status: 409, body: saying("the name is taken") }, 1] as const,
      [method, "a lock", { status: 409, body: saying("another write is in progress") }, 2] as const,
      ...locks.map((said) => [method, `422, ${said}`, { status: 422, body: saying(said) }, 2] as const),
      ...wrongInputs.map((said) => [method, `422, ${said}`, { status: 422, body: saying(said) }, 1] as const),
      [method, "422 with a time", { status: 422, headers: { "retry-after": "0" } }, 1] as const,
      [method, "422 within 200", { body: { status: { status_code: 422, message: locks[0] } } }, 2] as const,
      [method, "a lock with a time", { status: 423, headers: { "retry-after": "0" } }, 2] as const,
    ]),
  ].map(([method, what, answer, tries]) => [method, what, answer, tries]);
  test.each(cases)("%s after %s", async (method, _, answer, tries) => {
    server.script(answer, {});
    const outcome = methods[method]();
    if (tries === 1) await failure(outcome);
    else await outcome;
    expect(server.received).toHaveLength(tries);
  });

  test("a timeout is retried for GET but not for POST", async () => {
    server.script({ delayMs: 1500 }, {});
    await get(client({ requestTimeoutSeconds: 1 }));
    expect(server.received).toHaveLength(2);
    server.script({ delayMs: 1500 }, {});
    expect((await failure(post(client({ requestTimeoutSeconds: 1 })))).code).toBe("timeout");
    expect(server.received).toHaveLength(1);
  });

  test("Retry-After is respected", async () => {
    server.script({ status: 429, headers: { "retry-after": "1" } }, {});
    const startedAt = performance.now();
    await post();
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
  });

  test("a Retry-After beyond the budget fails at once instead of sleeping", async () => {
    server.script({ status: 429, headers: { "retry-after": "9999" } });
    const error = await failure(post());
    expect([error.code, error.status]).toEqual(["throttled", 429]);
    expect(server.received).toHaveLength(1);
  });

  test("stop after the configured number, and the error says how often it was tried", async () => {
    server.script({ status: 500 });
    expect((await failure(get())).message).toContain("tried 4 times");
    expect(server.received).toHaveLength(4);
    server.script({ status: 503 });
    expect((await failure(get())).message).toContain("tried 13 times");
  });

  test("a rejection after a lost answer leaves the outcome open: the first try may have succeeded", async () => {
    server.script({ reset: true }, { status: 404 });
    expect(await failure(remove())).toMatchObject({ code: "not-found", outcome: "open" });
    server.script({ status: 404 });
    expect(await failure(remove())).toMatchObject({ code: "not-found", outcome: "refused" });
  });

  test("a failed read leaves no open outcome", async () => {
    server.script({ status: 503 });
    expect(await failure(get())).toMatchObject({ code: "server-error", outcome: "refused" });
  });

  test("a refused connection sent nothing, so POST is retried too", async () => {
    const closed = await ScriptedServer.start();
    const { url } = closed;
    await closed.stop();
    const error = await failure(post(client({ baseUrl: url })));
    expect(error.code).toBe("unreachable");
    expect(error.message).toMatch(/cannot reach .*ECONNREFUSED.*whether the emulator.*tried 4 times/);
    const inTls = await failure(get(client({ baseUrl: server.url.replace("http:", "https:") })));
    expect(inTls.message).toContain(`it seems to answer in plain http: try ${server.url}`);
  });
});

describe("a POST whose answer is lost", () => {
  const once = (lookUp: () => Promise<string | undefined>) =>
    client().callOnce(operations.addWhitelistedIp, { body: {}, answer: anything, lookUp, looks: 3 });

  test("is never sent again, even if the look-ups find nothing", async () => {
    server.script({ reset: true }, { body: { done: true } });
    let looks = 0;
    const error = await failure(
      once(async () => {
        looks++;
        return undefined;
      }),
    );
    expect(error).toMatchObject({ code: "outcome-unknown", outcome: "open" });
    expect(error.message).toContain("its outcome is unknown: it is not visible on the platform yet");
    expect([server.received.length, looks]).toEqual([1, 3]);
  });

  test("is not reported as lost if it was throttled or never sent", async () => {
    server.script({ status: 429 });
    expect(await failure(once(async () => "found"))).toMatchObject({ code: "throttled", outcome: "refused" });
    expect(server.received).toHaveLength(13);
  });

  test("cancelling the look-up still says that the outcome is open", async () => {
    server.script({ reset: true });
    const abort = new AbortController();
    const lookUp = async () => {
      abort.abort();
      return undefined;
    };
    const error = await failure(
      client()
        .withSignal(abort.signal)
        .callOnce(operations.addWhitelistedIp, { body: {}, answer: anything, lookUp, looks: 3 }),
    );
    expect(error).toMatchObject({ code: "outcome-unknown", outcome: "open" });
    expect(error.message).toContain("cancelled");
  });

  test("is not looked up after a clear rejection", async () => {
    server.script({ status: 422 });
    const error = await failure(once(async () => "found"));
    expect(error.code).toBe("rejected");
  });
});

describe("errors", () => {
  const refusals: [number, string, ErrorCode, RegExp][] = [
    [
      409,
      '{"type":"about:blank","title":"Conflict","status":409,"detail":"it exists"}',
      "conflict",
      /\(409\): it exists$/,
    ],
    [
      400,
      '{"error":{"error_code":400,"error_message":"bad thing"}}',
      "rejected",
      /rejected the request \(400\): bad thing/,
    ],
    [401, "{}", "unauthorized", /check dataplatform:apiToken/],
    [403, '{"error":{"error_message":"no"}}', "forbidden", /system-user or system-admin.*editing an account/],
    [404, "", "not-found", /not found \(404\)/],
    [404, '{"error":{"error_message":"there is no /x/api/v1.2/a"}}', "not-found", /check dataplatform:baseUrl/],
    [409, "null", "conflict", /conflict/],
    [422, "<html><style>x{}</style><body>Not <b>good</b></body>", "rejected", /\(422\): Not good/],
    [307, "", "redirected", /redirect.*not followed/],
  ];
  test.each(refusals)("%d %s is %s", async (status, body, code, message) => {
    server.script({ status, body, headers: { location: "http://example.com/" } });
    const error = await failure(post());
    expect(error).toMatchObject({ code, status });
    expect(error.message).toMatch(/^could not add a whitelisted IP: /);
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain(token);
    expect(server.received).toHaveLength(1);
  });

  test("integers that a number cannot hold are text, and others stay what they are", async () => {
    const body =
      '{"id":72057594037900111,"list":[-72057594037900111,9007199254740991,1.2345678901234567890,1e30,null],"text":"\\"72057594037900111"}';
    server.script({ body });
    expect(await get()).toEqual({
      id: "72057594037900111",
      list: ["-72057594037900111", 9007199254740991, 1.2345678901234567, 1e30, null],
      text: '"72057594037900111',
    });
  });

  test("a login page with 200 may mean that the token has expired", async () => {
    server.script({ body: "<html>Sign in</html>" });
    expect((await failure(post())).message).toMatch(/is not JSON.*check dataplatform:baseUrl.*dataplatform:apiToken/);
  });

  test("megabytes of broken HTML are quoted as quickly as a line", async () => {
    server.script({ status: 422, body: "<style".repeat(500_000) });
    expect((await failure(post())).message).toMatch(/^.{20,200}\(422\): (<style){20}/);
  });

  test("an endless answer is truncated", async () => {
    server.script({ body: "x".repeat(largestAnswerBytes + 1) });
    expect((await failure(get())).code).toBe("answer-too-large");
  });
});
