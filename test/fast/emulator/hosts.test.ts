import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { emulate } from "./calls";

/** Sends a browser-like request with any Host header; returns the status and the body. */
async function ask(port: number, host: string, path: string, address = "127.0.0.1"): Promise<[number, string]> {
  const socket = connect(port, address);
  await once(socket, "connect");
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nX-AUTH-TOKEN: analytics-admin\r\nAccept: text/html, */*\r\nConnection: close\r\n\r\n`,
  );
  const answer = await text(socket);
  return [Number(answer.slice(9, 12)), answer.slice(answer.indexOf("\r\n\r\n") + 4)];
}

const paths = ["/", "/_emulator/state?secrets=1", "/api/v1.2/account"];

test("a site that points its name at this machine gets nothing, not even the console", async () => {
  await using emulator = await emulate();
  for (const host of [
    "evil.example.com",
    `evil.example.com:${emulator.port}`,
    "127.evil.com",
    "localhost.evil.com",
    "",
  ])
    for (const path of paths) {
      const [status, body] = await ask(emulator.port, host, path);
      expect([host, path, status]).toEqual([host, path, 403]);
      expect(JSON.parse(body).error).toMatchObject({
        error_code: 403,
        error_message: expect.stringMatching(/does not serve the host .*--allow-host .*allowedHosts/),
      });
      expect(body).not.toContain("analytics");
    }
  expect(emulator.requests().total).toBe(0);
});

test.each(["localhost", "LocalHost:4010", "127.0.0.1", "127.3.2.1:80", "[::1]", "[::1]:4010", "localhost."])(
  "%s is this machine",
  async (host) => {
    await using emulator = await emulate();
    for (const path of paths) expect((await ask(emulator.port, host, path))[0]).toBe(200);
  },
);

test("additional names are served if allowed", async () => {
  await using emulator = await emulate({ allowedHosts: ["Emulator.internal", "platform"] });
  for (const host of ["emulator.internal:4010", "platform"])
    expect((await ask(emulator.port, host, "/api/v1.2/account"))[0]).toBe(200);
  expect((await ask(emulator.port, "internal", "/api/v1.2/account"))[0]).toBe(403);
});
