import { describe, expect, test } from "vitest";
import type { ConformReport } from "../../../../cli/conform/report";
import { conform, secondTargets, writing } from "../../../fast/cli/conform/run";
import { accountIds, type PlatformState, type Switches, startSecondPlatform } from "../../../second-platform";

async function examineSecond(switches: Partial<Switches> = {}) {
  const platform = await startSecondPlatform(switches);
  try {
    const before = platform.state();
    const examined = await conform(platform, {
      targets: secondTargets,
      write: writing(accountIds.own),
      waitSeconds: 0,
    });
    return { ...examined, before, after: platform.state() };
  } finally {
    await platform.close();
  }
}

/** Everything that a report says about operations, one line each. */
function linesOf({ operations }: ConformReport): string[] {
  return operations.flatMap(({ name, deviations, readings, notes }) => [
    ...deviations.map(({ what, section, provider }) => `${name} deviates (${section}), ${provider}: ${what}`),
    ...Object.entries(readings).map(([reading, value]) => `${name} ${reading}=${value}`),
    ...notes.map((note) => `${name} note: ${note}`),
  ]);
}

/** The state without what the plan says will stay: commands, sensors, one data store, one policy, one enabled user. */
function lasting(state: PlatformState): object {
  const { commands, sensors, counters, dataStores, objects, users, environments, ...others } = state;
  return {
    ...others,
    commands: commands.filter(({ name }) => !name?.startsWith("conform-")).map(({ id, tags }) => ({ id, tags })),
    dataStores: dataStores.filter(({ name }) => name !== "conform-c0ffee00"),
    objects: objects.filter(({ id, type }) => !(type === "note" && id === 502)),
    environments: environments.map(({ busyUntil: _until, ...environment }) => environment),
    users: users.filter(({ email }) => email !== secondTargets.user),
  };
}

test("the most literal reading is as specified, and only what was announced stays", async () => {
  const { report, profile, before, after } = await examineSecond();
  expect(report.operations.flatMap(({ deviations }) => deviations)).toEqual([]);
  expect(report.leftBehind).toEqual([]);
  expect(lasting(after)).toEqual(lasting(before));
  expect(report.announced).toEqual([
    "sensors of table default.Order_events, if the platform keeps them",
    "the request for toolz, if environment 42 keeps a history",
    "user dirk.disabled@acme.example is enabled",
    "command conform-c0ffee00-refresh in the history",
    "command conform-c0ffee00-done in the history",
    "command conform-c0ffee00-cancelled in the history",
    "policy of note/502: an empty one",
    "data store conform-c0ffee00 (id 302): this installation cannot delete data stores",
  ]);
  expect(profile.extended).toEqual([]);
  expect(profile.readings).toMatchObject({ policyView: "array", whitelistDuplicate: "second-record" });
});

/** `…` stands for any text. */
const found: readonly [name: keyof Switches, value: string, line: string][] = [
  ["contentType", "text/html", "account.view deviates (1), copes: the Content-Type of the answer is text/html…"],
  ["contentEncoding", "gzip always", "account.view compression=gzip-always"],
  ["trailingSlash", "never", "account.view deviates (4.12), needs this: refused (HTTP 404)"],
  ["unknownPath", "200 HTML page", "unknown deviates (7), needs this: an unknown path succeeds…"],
  ["deprecation", "410", "whitelist.list deviates (4.1), needs this: refused (HTTP 410)"],
  ["getBodies", "dropped", "objectPolicy.view deviates (4.14), needs this: refused (HTTP 422)"],
  ["getBodies", "400", "commands.history deviates (4.6), copes: parameters in a JSON body are refused"],
  ["errorBody", "message", "unknown errorBody=message"],
  ["errorBody", "HTML page", "unknown errorBody=html"],
  ["errorBody", "error_code flat", "unknown note: the body of a refusal is {error_code:number…"],
  ["statusUnauthenticated", "200 login page", "account.view deviates (5), needs this: a wrong token is accepted…"],
  ["statusUnauthenticated", "404", "account.view note: a wrong token is refused (HTTP 404), not 401"],
  ["statusMissing", "410", "whitelist.delete note: an unknown id is refused (HTTP 410), not 404"],
  ["refusalsUnder200", "all", "unknown refusalStatus=200"],
  ["refusalsUnder200", "missing", "unknown note: some refusals come with HTTP 200…"],
  ["successStatus", "201 on POST", "whitelist.add note: succeeds with HTTP 201"],
  ["ids", "text", "account.view deviates (2.4), copes: id: expected number, received string"],
  ["nullFields", "absent", "commands.history commandNulls=absent"],
  ["timestamps", "milliseconds, Z", "whitelist.list deviates (4.1), copes: …created_at: expected YYYY-MM-DD…"],
  ["whitelistSpelling", "with prefix length", "whitelist.list whitelistSpelling=with-prefix"],
  ["whitelistSpelling", "upper case", "whitelist.list note: addresses are listed in a spelling that the emulator…"],
  ["whitelistInvalid", "stored", "whitelist.add deviates (4.1), copes: a text that is not an address is accepted"],
  ["whitelistRepeat", "conflict", "whitelist.add whitelistDuplicate=409"],
  ["whitelistRepeat", "invalid", "whitelist.add note: … is refused (HTTP 422), not 409"],
  ["whitelistRefusals", "status object under 200", "whitelist.add refusalStatus=200-whitelist"],
  ["whitelistDeleteUnknown", "200", "whitelist.delete whitelistDeleteUnknown=200"],
  ["whitelistAddDelay", "after 2 reads", "whitelist.list deviates (4.1), copes: a new entry is listed late"],
  ["whitelistOrder", "by address", "whitelist.list whitelistOrder=by-address"],
  ["whitelistOddRecord", "without id", "whitelist.list deviates (4.1), copes: account_whitelisted_ips[].id: …"],
  ["whitelistPages", "2 a page with paging_info", "whitelist.list deviates (4.1), …: the list has pages…"],
  ["whitelistScope", "all accounts", "whitelist.list deviates (4.1), copes: lists 2 records of other accounts"],
  ["submissionAnswer", "id only", "commands.submit deviates (2.2), copes: account_id: expected number…"],
  ["commandCreatedAt", "epoch seconds", "commands.history commandTimes=epoch"],
  ["tagsPlace", "command.tags", "commands.history historyTags=command.tags"],
  ["tagsPlace", "never", "commands.history deviates (4.6), needs this: include_query_properties does not add…"],
  ["tagsDelay", "after 2 reads", "commands.history historyTagsLate=2"],
  ["historyPageEnd", "0", "commands.history deviates (4.6), copes: previous_page of the first page is neither…"],
  ["historyPerPageAbove", "cut to 100", "commands.history deviates (8), copes: per_page=101 is accepted…"],
  ["historyCommandObject", "null", "commands.history deviates …: commands[].command: expected object, received null…"],
  ["submitTime", "ISO text", "commands.submit deviates (2.2), copes: submit_time: expected number, received string…"],
  [
    "timeoutEcho",
    "129600",
    "commands.submit deviates (2.2), copes: timeout has a value, although the command was submitted without…",
  ],
  ["refreshStable", "text as sent", "commands.submit deviates (2.2), copes: command.loader_stable: expected…"],
  ["dataStoreAnswer", "id only", "dbTaps.create dataStoreAnswer=minimal"],
  ["dataStorePassword", "null", "dbTaps.create deviates (2.3), copes: db_passwd: expected string, received null"],
  ["hiveFilter", "whole name", "hive.list hiveFilter=whole"],
  ["hiveFilter", "glob", "hive.list deviates (4.8), copes: filter does not work as a regular expression…"],
  ["hiveEmpty", "null", "hive.list deviates (2.7), copes: expected array, received null"],
  ["hiveColumns", "null", "hive.list deviates (2.7), copes: [].columns: expected array, received null…"],
  ["sensorPath", "examples only", "partitionSensor.create sensorPath=examples"],
  ["sensorStatus", "boolean", "partitionSensor.create sensorStatus=boolean"],
  ["addPackagesAnswer", "204", "package.add note: notShownAnswer is 204 here, but object elsewhere"],
  ["packageRemoveSource", "query", "package.remove deviates (4.10), needs this: refused (HTTP 422)"],
  ["folderLocationAfter", "unchanged", "folders.rename note: a rename does not change…"],
  ["policyView", "under policy", "objectPolicy.view policyView=policy-only"],
  ["policyView", "under object_policy", "objectPolicy.view note: the view is {object_policy:…"],
  ["policyViewNone", "null", "objectPolicy.view policyMissing=null"],
  ["policyViewLists", "empty lists filled in", "objectPolicy.view policyIdLists=filled"],
  ["policyViewIds", "text", "objectPolicy.view deviates (2.6), copes: …svc_users[]: expected number, received string…"],
  ["policyViewAction", "comma text", "objectPolicy.view deviates (2.6), copes: [].action: expected array…"],
  ["policyDelay", "after 2 reads", "objectPolicy.view deviates (4.14), copes: a policy that was set is shown late"],
  ["roleAssigned", "conflict", "groups.assignRole roleRepeated=refused"],
  ["accountSecrets", "null", "account.view deviates (2.4), copes: storage_access_key: expected string, received null"],
  ["usersEnvelope", "list", "accounts.getUsers usersEnvelope=array"],
  ["usersEnvelope", "data.users", "accounts.getUsers note: the envelope is {data:…"],
  ["usersOddEntry", "null email", "accounts.getUsers oddUser=null-email"],
  ["usersOddEntry", "one user twice", "accounts.getUsers deviates (2.8), copes: a user is listed twice"],
  ["usersShown", "all", "accounts.getUsers pendingUsers=listed"],
  ["emailsForm", "list of texts", "accounts.getUserEmails emailsEnvelope=array"],
  ["emailsForm", "comma text", "accounts.getUserEmails note: the answer is …"],
];

describe("what a platform does otherwise is found and named, and only what was announced stays", () => {
  test.each(found)("%s: %s", async (name, value, line) => {
    const { report, before, after } = await examineSecond({ [name]: value });
    const parts = line.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    expect(linesOf(report)).toContainEqual(expect.stringMatching(new RegExp(`^${parts.join(".*")}$`, "s")));
    expect(report.leftBehind).toEqual([]);
    expect(lasting(after)).toEqual(lasting(before));
  });
});

describe("what cannot be removed is reported", () => {
  test("an address that the list never shows", async () => {
    const { report, before, after } = await examineSecond({ whitelistPages: "2 a page, nothing said" });
    expect(after.whitelist.length - before.whitelist.length).toBe(1);
    expect(report.leftBehind).toEqual([
      {
        what: expect.stringMatching(/^whitelisted addresses /),
        why: expect.stringMatching(/^198\.51\.100\.\d+ was added but never listed; look for it in the user interface$/),
      },
    ]);
  });

  test("a policy that the platform does not take back", async () => {
    const { report } = await examineSecond({ policyEmpty: "refused" });
    expect(report.leftBehind).toEqual([
      { what: "policy of note/502", why: "setting the policy that note/502 had was refused (HTTP 422)" },
    ]);
  });
});
