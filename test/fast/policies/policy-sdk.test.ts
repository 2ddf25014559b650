import { promisify } from "node:util";
import type { PolicyPackArgs } from "@pulumi/policy";
import { expect, test } from "vitest";
import { policies, rules } from "../../../policies";
import type { analyzer } from "../../../policies/stubs";
import { fromPulumi } from "../../../provider/engine/stubs";
import { request, secret, stackRequest, unknownList, unknownText } from "./wire";

/* The rules in a pack made with @pulumi/policy: its own functions call them, without its server. */

type Answer = InstanceType<typeof analyzer.AnalyzeResponse>;
type Handler = (call: { request: object }, done: (error: Error | null, answer: Answer) => void) => void;
type MakeHandler = (pack: string, version: string, level: string, policies: readonly object[]) => Handler;

const { makeAnalyzeRpcFun, makeAnalyzeStackRpcFun } = fromPulumi("@pulumi/policy/server") as Record<
  string,
  MakeHandler
>;

/** Up to the first comma of each message. */
async function found(make: MakeHandler, message: object): Promise<string[]> {
  const answer = await promisify(make("pack", "1.0.0", "advisory", policies()))({ request: message });
  const found = answer.getDiagnosticsList();
  return found.map((one) => `${one.getPolicyname()}: ${one.getMessage().split("\n").at(-1)!.split(/[.,] /, 1)[0]}`);
}

test("they have the form that PolicyPack takes", () => {
  const args: PolicyPackArgs = { policies: policies() };
  const hidden = rules.filter(({ seesSecrets }) => seesSecrets).map(({ name }) => name);
  expect(hidden).toEqual(["plaintext-secrets", "on-premise-gateway"]);
  expect(args.policies.map(({ name }) => name)).toEqual(
    rules.map(({ name }) => name).filter((name) => !hidden.includes(name)),
  );
});

test.each(["pulumi-nodejs:dynamic/dataplatform:", "dataplatform:index:"])(
  "they judge resources of %s",
  async (prefix) => {
    const office = request(`${prefix}WhitelistedIp`, "office", { ipCidr: secret("::/0") });
    expect(await found(makeAnalyzeRpcFun!, office)).toEqual(["whole-internet: WhitelistedIp office: ipCidr is ::/0"]);
    const lists = ["a", "b"].map((name) => [`${prefix}IpWhitelist`, name, { exclusive: true }] as const);
    expect(await found(makeAnalyzeStackRpcFun!, stackRequest(...lists))).toEqual(
      ["a", "b"].map((name) => `one-exclusive-whitelist: IpWhitelist ${name}: exclusive is true`),
    );
  },
);

test("they say nothing about what is unknown, and about resources of others", async () => {
  const unknown = { addresses: unknownList, exclusive: unknownText, keep: [unknownText] };
  expect(await found(makeAnalyzeRpcFun!, request("dataplatform:index:IpWhitelist", "it", unknown))).toEqual([]);
  expect(await found(makeAnalyzeRpcFun!, request("aws:s3/bucket:Bucket", "it", { ipCidr: "0.0.0.0/0" }))).toEqual([]);
  const policy = [{ access: "allow", action: ["all"], condition: { svcGroups: [unknownText] } }, unknownText];
  const message = request("dataplatform:index:ObjectPolicy", "it", { policy }, { protect: true });
  expect(await found(makeAnalyzeRpcFun!, message)).toEqual([]);
});
