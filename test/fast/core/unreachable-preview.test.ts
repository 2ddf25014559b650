import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { whitelistedIp } from "../../../provider/resources/whitelisted-ip";
import { freshEmulator } from "../../harness/emulators";
import { inProcess } from "../../harness/in-process";

const emulator = freshEmulator();

/** The emulator behind a port that refuses connections until it is opened. */
async function closedPort(): Promise<{ readonly url: string; open(): Promise<void> }> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const open = async () => {
    const target = Number(new URL(emulator.url).port);
    const server: Server = createServer((socket) => {
      const further = connect(target, "127.0.0.1");
      for (const end of [socket, further]) end.on("error", () => undefined);
      socket.pipe(further).pipe(socket);
    });
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
  };
  return { url: `http://127.0.0.1:${port}`, open };
}

const address = (last: number) => ({ ipCidr: `203.0.113.${last}` });

test("a preview names a refused connection, once, and no other resource asks again until the platform answers", async () => {
  const { url, open } = await closedPort();
  const { life, said } = inProcess(whitelistedIp, { ...emulator, url }, { retries: 1 });
  await Promise.all([1, 2, 3].map((last) => life.foresee(undefined, address(last))));
  for (const last of [4, 5, 6]) await life.foresee(undefined, address(last));
  const warning = `WhitelistedIp: cannot preview what this changes on the platform: could not list the whitelisted IPs: cannot reach ${url} (ECONNREFUSED)`;
  expect(said.warnings).toEqual([expect.stringContaining(warning)]);
  expect(said.warnings[0]).toContain("The rest of this preview goes on without the platform");

  await open();
  emulator.clearRequests();
  await life.foresee(undefined, address(7));
  expect(emulator.requests().requests, "not asked, because it is known to be out of reach").toEqual([]);
  await life.create(address(8));
  await life.foresee(undefined, address(8));
  expect(said.warnings.slice(1), "asked again").toEqual([
    expect.stringContaining("203.0.113.8 is already whitelisted"),
  ]);
});

test("a write is retried while previews go on without the platform", async () => {
  const { url, open } = await closedPort();
  const { life, client } = inProcess(whitelistedIp, { ...emulator, url }, { retries: 5 });
  await life.foresee(undefined, address(1));
  expect(client.outage.isKnown).toBe(true);
  const created = life.create(address(2));
  await open();
  expect((await created).state).toMatchObject(address(2));
  expect(client.outage.isKnown, "it has answered").toBe(false);
});
