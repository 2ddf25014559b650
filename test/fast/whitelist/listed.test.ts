import { expect, test } from "vitest";
import { whitelistedIp } from "../../../provider/resources/whitelisted-ip";
import { accountOf, freshEmulator } from "../../harness/emulators";
import { request } from "../../harness/http";
import { failureOf, inProcess } from "../../harness/in-process";
import { ScriptedServer } from "../../harness/scripted-server";

const emulator = freshEmulator();
const life = () => inProcess(whitelistedIp, emulator).life;
const entries = () => accountOf(emulator).whitelist;
const address = "203.0.113.7";

test("an address that is already listed is an error that says how to import it; adopt takes it over", async () => {
  await request(emulator, "POST", "/api/v1.2/whitelist_ip", { ip_cidr: "2001:DB8::7" });
  const { id } = entries()[0]!;
  await expect(life().create({ ipCidr: "2001:db8::7" })).rejects.toThrow(
    new RegExp(
      `2001:db8::7 is already whitelisted \\(id ${id}\\).*import --generate-code=false dataplatform:index:WhitelistedIp <name> ${id}`,
    ),
  );
  expect(await life().create({ ipCidr: "2001:db8::7", adopt: true })).toMatchObject({ id: String(id) });
  expect(entries()).toHaveLength(1);
});

test("an address listed in two spellings: both entries exist, so a refresh keeps either", async () => {
  const { id, state } = await life().create({ ipCidr: address });
  const platform = await ScriptedServer.forTest();
  const listed = { ...entries()[0]!, account_id: 1001 };
  const twin = { ...listed, id: listed.id + 1, ip_cidr: `${address}/32` };
  platform.script({ body: { account_whitelisted_ips: [listed, twin] } });
  const there = inProcess(whitelistedIp, { url: platform.url, tokens: emulator.tokens }).life;
  expect(await there.read(id, state)).toMatchObject({ id });
});

test("an answer lost after the work: the entry is found, and is ours", async () => {
  emulator.setFaults({ rules: [{ operation: "whitelist.add", nth: 1, kind: "reset-after" }] });
  const { id } = await life().create({ ipCidr: address });
  expect(entries()).toMatchObject([{ id: Number(id), ip_cidr: address }]);
});

test("a 503 before the work: nothing is sent twice, the next up adds it, and it can be deleted", async () => {
  emulator.clearRequests();
  emulator.setFaults({ rules: [{ operation: "whitelist.add", nth: 1, kind: "503" }] });
  const { message, existing } = await failureOf(life().create({ ipCidr: address }));
  expect(message).toContain('It may be on the list: run "pulumi up" again to find or add it');
  expect([entries().length, emulator.requests().counts["whitelist.add"]]).toEqual([0, 1]);
  await life().update(existing.id, existing.state, { ipCidr: address });
  const { id } = entries()[0]!;
  await life().delete(String(id), existing.state);
  expect(entries()).toEqual([]);
});
