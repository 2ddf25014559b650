import { describe, expect, test } from "vitest";
import type { Faults } from "../../../emulator";
import { freshEmulator } from "../../harness/emulators";
import { GoBetween } from "../../harness/go-between";
import { request } from "../../harness/http";
import { definitionOf, failureOf, inProcess } from "../../harness/in-process";
import { forTest, shared } from "../../harness/shared";
import { sample } from "./sample";
import { SmallEngine } from "./small-engine";
import { observe, token, world } from "./world";

/** Faults that the random runs rarely or never hit; each was a bug once, or could easily become one. */

const emulator = freshEmulator({ seed: world(2) });

const life = (type: string, options?: Parameters<typeof inProcess>[2], { url }: { readonly url: string } = emulator) =>
  inProcess(definitionOf(type), { ...emulator, url }, options).life;
const faults = (...rules: Faults["rules"]): void => emulator.setFaults({ rules });

describe("the answer to the last try is lost", () => {
  test("if the look-up fails too, the error says both, and that the outcome is unknown", async () => {
    faults(
      { operation: "whitelist.add", kind: "reset-after" },
      { operation: "whitelist.list", kind: "500", nth: [2, 3, 4, 5, 6] },
    );
    await expect(life("WhitelistedIp", { retries: 1 }).create(sample["WhitelistedIp"]!.args)).rejects.toThrow(
      /could not add a whitelisted IP: the connection .* was lost.*its outcome is unknown: looking it up also failed.*could not list the whitelisted IPs/,
    );
  });
});

describe("a request that is processed after it timed out", () => {
  // Held back until the provider has given up, however long either takes.
  const between = shared(() => GoBetween.start(emulator.url));

  test("never creates a second command: the error says that the outcome is unknown", async () => {
    const letThrough = between.hold(({ method, url }) => method === "POST" && url.includes("/commands"));
    await expect(life("Command", { timeoutSeconds: 2 }, between).create(sample["Command"]!.args)).rejects.toThrow(
      /no response .* within 2 s.*its outcome is unknown.*with the tag/,
    );
    await letThrough();
    expect(observe(emulator).get("command sample")).toBe("1");
  });

  test("is kept in the state, and recognised as our own entry at the next up", async () => {
    const letThrough = between.hold(({ method }) => method === "POST");
    const { args } = sample["WhitelistedIp"]!;
    const { existing } = await failureOf(life("WhitelistedIp", { timeoutSeconds: 2 }, between).create(args));
    await letThrough();
    const { state } = await life("WhitelistedIp").update(existing.id, existing.state, args);
    expect(emulator.requests().counts["whitelist.add"]).toBe(1);
    await life("WhitelistedIp").delete(existing.id, state);
    expect([...observe(emulator).keys()].filter((fact) => fact.startsWith("whitelist"))).toEqual([]);
  });
});

describe("a batch of entries, some of them gone", () => {
  test("is deleted completely, although a retry returns 404", async () => {
    const driver = forTest(new SmallEngine({ baseUrl: emulator.url, token }));
    const address = (slot: number) => `198.51.100.${slot}`;
    const program = Object.fromEntries(
      [1, 2, 3, 4].map((slot) => [`ip${slot}`, { type: "WhitelistedIp", args: { ipCidr: address(slot) } }]),
    );
    expect(await driver.up(program)).toEqual([]);
    // The first request does nothing; the second does nothing either, and reports one entry as missing.
    await request(emulator, "DELETE", "/_emulator/state/whitelist/2");
    faults({ operation: "whitelist.delete", kind: "500", nth: 1 });
    expect(await driver.up({})).toEqual([]);
    expect([...observe(emulator).keys()].filter((fact) => fact.startsWith("whitelist"))).toEqual([]);
  });
});
