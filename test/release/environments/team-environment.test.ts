import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshEmulator } from "../../harness/emulators";
import type { Program } from "../../harness/stack";
import { expectOk, ownStack } from "../../harness/stacks";

const emulator = freshEmulator({ waitSeconds: 0, runSeconds: 0 });

/** What data cannot say: transforms, and reaching children. */
const program = `
const pulumi = require("@pulumi/pulumi");
const dataplatform = require("pulumi-dataplatform");
const provider = new dataplatform.Provider("ours", { baseUrl: process.env.PLATFORM, apiToken: process.env.TOKEN, retries: 1 });
const transform = ({ type, props, opts }) =>
  type.endsWith(":DataStore") ? { props: { ...props, port: 5433 }, opts } : undefined;
const blue = new dataplatform.TeamEnvironment(
  "blue",
  {
    account: { name: "blue" },
    inNewAccount: ["whitelist", "dataStores"],
    whitelist: { addresses: pulumi.output(["203.0.113.7"]), wayBackIn: ["198.51.100.10"], exclusive: true },
    dataStores: { orders: { dbHost: "h", dbName: "n", dbPasswd: pulumi.secret("canary-passwd") } },
  },
  { provider, transforms: [transform] },
);
new dataplatform.WhitelistedIp("extra", { ipCidr: "203.0.113.8" }, { provider: blue.accountProvider, dependsOn: blue });
exports.store = blue.dataStores.orders.assignedName;
exports.addresses = blue.whitelist.addresses;
`;

test("its provider and its transforms reach its children, and so does the program", async () => {
  const env = {
    PLATFORM: emulator.url,
    TOKEN: emulator.tokens["admin"]!,
    DATAPLATFORM_BASE_URL: "",
    DATAPLATFORM_API_TOKEN: "",
  };
  const stack = await ownStack(emulator, { env });
  writeFileSync(join(stack.folder, "index.js"), program);
  await expectOk(stack.up());
  expect(await stack.outputs()).toEqual({ store: "orders", addresses: ["203.0.113.7", "198.51.100.10"] });
  const [parent, , team] = emulator.state({ secrets: true }).accounts;
  expect(parent!.dataStores).toEqual([]);
  expect(team!.dataStores).toEqual([
    expect.objectContaining({ name: "orders", port: 5433, db_passwd: "canary-passwd" }),
  ]);
  expect(team!.whitelist.map(({ ip_cidr }) => ip_cidr).sort()).toEqual(["198.51.100.10", "203.0.113.7", "203.0.113.8"]);
  const { resources } = await stack.exportState();
  expect(resources.find(({ type }) => type.endsWith(":DataStore"))!.type).toBe("dataplatform:index:DataStore");
  expect((await expectOk(stack.preview())).changed).toEqual({});
});

test("what is wrong with its arguments or its parts is one error, before anything is created; outputs are none", async () => {
  const stack = await ownStack(emulator);
  const stores = { orders: { name: "orders", dbName: "n", dbPasswd: "canary-passwd", dbHost: { $later: "h" } } };
  const blue = (args: object): Program => ({ blue: { type: "TeamEnvironment", args: { ...args } } });
  await expectOk(stack.up(blue({ dataStores: stores })));
  const wrong = await stack.preview(
    blue({ datastores: stores, whitelist: { waybackIn: [] }, groups: { a: { id: 205, roles: "analyst" } } }),
  );
  expect(wrong.code).not.toBe(0);
  expect(wrong.text).toContain("TeamEnvironment blue: datastores is not a known property; did you mean dataStores?");
  expect(wrong.text).toContain("whitelist.waybackIn is not a known property; did you mean wayBackIn?");
  expect(wrong.text).toContain('groups.a.roles must be an array, but is "analyst"; write it as ["analyst"]');
  expect(wrong.text).not.toMatch(/TypeError|IpWhitelist|\bat new TeamEnvironment/);
  const folderPolicies = { a: { type: "notes", location: "Common/a", teamMay: ["read"] } };
  const parts = await stack.preview(blue({ inNewAccount: ["groups"], folderPolicies }));
  expect(parts.code).not.toBe(0);
  expect(parts.text).toContain("TeamEnvironment blue: inNewAccount is set, but there is no new account");
  expect(parts.text).toContain("folderPolicies.a.teamMay is about the groups of the environment, and there are none");
});
