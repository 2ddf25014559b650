import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sharedEmulator } from "../harness/emulators";
import { run } from "../harness/engine";
import { expectOk, sharedStack } from "../harness/stacks";

const platforms = { one: sharedEmulator(), two: sharedEmulator() };
const stack = sharedStack(platforms.one);

/**
 * What a user of the Automation API writes: the program is a function, and the stacks run side by side in one process. In
 * dynamic mode, where functions run in that process too, each with the settings of its stack.
 */
const script = `
const { LocalWorkspace } = require("@pulumi/pulumi/automation");
const dataplatform = require("pulumi-dataplatform");
const platforms = JSON.parse(process.env.PLATFORMS);
const program = async () => {
  const { users } = await dataplatform.getUsers({});
  const { email } = users[0];
  const office = new dataplatform.WhitelistedIp("office", { ipCidr: email.includes("research") ? "203.0.113.2" : "203.0.113.1" });
  return { office: office.ipCidr, emails: dataplatform.getUserEmailsOutput({}).emails };
};
const steps = async ([stackName, { url, token }]) => {
  const stack = await LocalWorkspace.createOrSelectStack({ stackName, projectName: "project", program }, { workDir: __dirname });
  const settings = { baseUrl: url, apiToken: token };
  for (const [name, value] of Object.entries(settings)) await stack.setConfig("dataplatform:" + name, { value });
  const { outputs } = await stack.up();
  const { changeSummary } = await stack.preview();
  if (stackName === "two") await stack.destroy();
  return [stackName, { office: outputs.office.value, emails: outputs.emails.value.length, next: changeSummary }];
};
Promise.all(Object.entries(platforms).map(steps)).then((all) => console.log(JSON.stringify(Object.fromEntries(all))));
`;

test("stacks of several platforms run side by side in one process", async () => {
  writeFileSync(join(stack.folder, "automation.js"), script);
  const access = {
    one: { url: platforms.one.url, token: platforms.one.tokens["admin"] },
    two: { url: platforms.two.url, token: platforms.two.tokens["otherAdmin"] },
  };
  const env = { ...stack.env, PLATFORMS: JSON.stringify(access) };
  const { stdout } = await expectOk(run(process.execPath, ["automation.js"], { cwd: stack.folder, env }));
  expect(JSON.parse(stdout)).toEqual({
    one: { office: "203.0.113.1", emails: expect.any(Number), next: { same: 2 } },
    two: { office: "203.0.113.2", emails: expect.any(Number), next: { same: 2 } },
  });
  const listed = ({ state }: typeof platforms.one) =>
    state().accounts.map(({ whitelist }) => whitelist.map(({ ip_cidr }) => ip_cidr));
  expect(listed(platforms.one)[0]).toContain("203.0.113.1");
  expect(listed(platforms.two).flat()).not.toContain("203.0.113.2");
});
