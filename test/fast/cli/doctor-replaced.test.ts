import { describe, expect, test } from "vitest";
import type { StateResource } from "../../../cli/pulumi/stack";
import { accountOf, freshEmulator } from "../../harness/emulators";
import { request } from "../../harness/http";
import { clear, creating, dynamic, earlier, examineStack, imports, later } from "./doctor-state";
import { prefix, resource } from "./drift-state";
import { whitelist } from "./platform";

const emulator = freshEmulator();

/** Doctor's findings on a resource that was being replaced, by one run or by several. */
const examine = (old: StateResource, ...runs: StateResource[]) => {
  const pending = runs.map((one) => creating({ ...one, created: earlier }));
  return examineStack(emulator, { resources: [{ ...old, created: earlier }], pending });
};
const office = (ipCidr: string, id = "") => resource("WhitelistedIp", "office", id, { ipCidr });
const adopt = "set adopt: true on it in the program, then: pulumi up --stack dev";

describe("an interrupted replacement of an address", () => {
  test("that was added: the create of the next up adopts it, because its name is taken in the state", async () => {
    const id = await whitelist(emulator, "192.0.2.2");
    expect(await examine(office("192.0.2.1", "58"), office("192.0.2.2"))).toMatchObject([
      {
        what: "office",
        verdict: "problem",
        says: `WhitelistedIp, interrupted while creating: 192.0.2.2 is whitelisted (id ${id}), but it is not in the state; the state has the one that it replaces (id 58)`,
        fix: adopt,
      },
      { what: "pending", verdict: "warning", fix: clear },
    ]);
  });

  test("that was not added: the next up replaces it", async () => {
    expect(await examine(office("192.0.2.1", "58"), office("192.0.2.2"))).toMatchObject([
      {
        verdict: "warning",
        says: expect.stringMatching(
          /192\.0\.2\.2 is not whitelisted; the state has the one that it replaces \(id 58\); the next "pulumi up" replaces that$/,
        ),
        fix: clear,
      },
    ]);
  });

  test("by the same address, with --replace: what is listed is the one in the state", async () => {
    const id = await whitelist(emulator, "192.0.2.1");
    expect(await examine(office("192.0.2.1", id), office("192.0.2.1"))).toMatchObject([
      { verdict: "warning", says: expect.stringMatching(/already resolved/), fix: clear },
    ]);
  });

  test("that a later run finished", async () => {
    const id = await whitelist(emulator, "192.0.2.2");
    const resources = [{ ...office("192.0.2.2", id), created: later }];
    const pending = [creating({ ...office("192.0.2.2"), created: earlier })];
    expect(await examineStack(emulator, { resources, pending })).toMatchObject([
      { verdict: "warning", says: expect.stringMatching(/already resolved: it is in the state/), fix: clear },
    ]);
  });

  test("twice: the same address is told once, and of two addresses the later one is kept", async () => {
    const first = await whitelist(emulator, "192.0.2.2");
    const same = await examine(office("192.0.2.1", "58"), office("192.0.2.2"), office("192.0.2.2"));
    expect(same.map(({ fix }) => fix)).toEqual([adopt, clear]);
    const second = await whitelist(emulator, "192.0.2.3");
    const [kept, left] = await examine(office("192.0.2.1", "58"), office("192.0.2.3"), office("192.0.2.2"));
    expect(kept).toMatchObject({ says: expect.stringContaining(`(id ${second})`), fix: adopt });
    expect(left).toMatchObject({
      verdict: "warning",
      says: expect.stringMatching(`id ${first}\\); a later run, interrupted too, made another \\(id ${second}\\)`),
      fix: clear,
    });
  });
});

describe("an interrupted replacement of another resource", () => {
  const tag = "pulumi-dataplatform:7b1e0c0e-6f0e-4a39-9d4c-5c8f5a3f0f11";
  const job = (id = "") => dynamic(resource("Command", "job", id, { submissionTag: tag }));
  const rename = `pulumi state rename ${prefix}pulumi-nodejs:dynamic/dataplatform:Command::job job-replaced --yes --stack dev`;

  test("a command that was submitted is imported beside the older one, so that no up submits it again", async () => {
    const body = { command_type: "SparkCommand", language: "sql", sql: "select 1", tags: [tag] };
    await request(emulator, "POST", "/api/v1.2/commands/", body);
    const id = accountOf(emulator).commands!.at(-1)!.id;
    const [finding] = await examine(job("7"), job());
    expect(finding).toMatchObject({
      verdict: "problem",
      says: expect.stringMatching(`submitted: command ${id} .*the state has the one that it replaces \\(id 7\\)$`),
      fix: `${rename} && ${imports(`dataplatform:index:Command job ${id}`)}`,
    });
  });

  test("a command that was not submitted", async () => {
    expect(await examine(job("7"), job())).toMatchObject([{ verdict: "warning", fix: clear }]);
  });

  test("a data store, which the API cannot list: says what to look for, and how to go on in both cases", async () => {
    const store = (dbName: string, id = "") => resource("DataStore", "crm", id, { dbName, dbHost: "db1" });
    const [finding] = await examine(store("crm", "7"), store("crm2"));
    expect(finding).toMatchObject({
      verdict: "problem",
      says: expect.stringMatching(/database crm2 at db1.*; the state has the one that it replaces \(id 7\)$/),
      fix: `check the platform's user interface first. If it exists: pulumi state rename ${prefix}dataplatform:index:DataStore::crm crm-replaced --yes --stack dev && ${imports("dataplatform:index:DataStore crm <id>")}. If not: ${clear}`,
    });
  });

  test("what is safe to repeat is only cleared", async () => {
    const { email } = accountOf(emulator).users.find(({ alias }) => alias === "analyst")!;
    const user = (svcUserId: string, id = "") => resource("EnabledUser", "ana", id, { svcUserId });
    expect(await examine(user("107", "107"), user(email))).toMatchObject([
      { verdict: "warning", says: expect.stringMatching(/is enabled.*the next "pulumi up" repeats it$/), fix: clear },
    ]);
  });
});
