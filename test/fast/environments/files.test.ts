import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { otherExtensions, readEnvironments } from "../../../provider/environment-files";
import { ownFolder } from "../../harness/folders";

let folder: string;
const start = process.cwd();
beforeEach(() => {
  folder = ownFolder();
  process.chdir(folder);
});
afterEach(() => process.chdir(start));

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** The lines of the error, without the first. */
function mistakesIn(pattern: string, options?: Parameters<typeof readEnvironments>[1]): string[] {
  try {
    readEnvironments(pattern, options);
  } catch (error) {
    expect(error).toMatchObject({ code: "invalid-environment-files" });
    return (error as Error).message
      .split("\n")
      .slice(1)
      .map((line) => line.trim());
  }
  return [];
}

describe("which files", () => {
  test.each([
    ["environments", ["blue", "green"]],
    ["environments/*.yaml", ["green"]],
    ["environments/b*", ["blue"]],
    ["environments/green.yaml", ["green"]],
  ])("%s", (pattern, names) => {
    write({ "environments/green.yaml": "{}", "environments/blue.yml": "{}", "environments/notes.md": "" });
    expect(readEnvironments(pattern).map(({ name }) => name)).toEqual(names);
  });

  test("none is a mistake, and so are names that cannot be resource names, or that two files have", () => {
    expect(mistakesIn("environments")).toEqual([expect.stringContaining("no file found")]);
    write({ "environments/blue.yaml": "{}", "environments/blue.yml": "{}", "environments/a b.yaml": "{}" });
    expect(mistakesIn("environments")).toEqual([
      "environments/a b.yaml: the environment has the name of the file; use letters, digits, - and _ only",
      "environments/blue.yml: the environment blue is also in environments/blue.yaml; rename one of them",
    ]);
  });
});

test("every mistake in every file is reported at once, with its line and the nearest name", () => {
  write({
    "environments/blue.yaml": `whitelist:
  address: [203.0.113.7]
dataStores:
  orders:
    dbHots: orders.example.com
    dbName: 7
    dbPasswd: secret-in-plain-text
    dbType: oracle
groups:
  analysts: { id: 205, roles: [analyst, analyst] }
objectPolicies:
  churn: { sourceId: 501 }
jobs:
  load: { after: [other] }
`,
    "environments/green.yaml":
      "acount: { name: green }\npackages:\n  libraries: { envId: 403, repoUrl: https://r.example.com }\n",
    "environments/red.yaml": "whitelist: {}\nwhitelist: [\n",
    "environments/white.yaml": "- a list\n",
  });
  const found = mistakesIn("environments");
  expect(found).toEqual([
    "environments/blue.yaml:2:3: whitelist.address is not a known property; did you mean addresses?",
    "environments/blue.yaml:5:5: dataStores.orders.dbHots is not a known property; did you mean dbHost?",
    'environments/blue.yaml:6:5: dataStores.orders.dbName must be a string, but is 7; write it as "7"',
    'environments/blue.yaml:7:5: dataStores.orders.dbPasswd is a secret, which must not be in a file; run "pulumi config set --secret orders-dbPasswd" and write { $secret: orders-dbPasswd }',
    'environments/blue.yaml:8:5: dataStores.orders.dbType is "oracle"; expected one of "mysql", "vertica", "mongo", "postgresql", "redshift", "snowflake"',
    'environments/blue.yaml:10:24: groups.analysts.roles lists "analyst" twice; list each role once',
    "environments/blue.yaml:12:3: objectPolicies.churn.policy is required; give it, or teamMay for the usual policy",
    expect.stringMatching(/^environments\/blue\.yaml:14:3: jobs\.load\.spark is missing/),
    'environments/blue.yaml:14:11: jobs.load.after names the job "other", which is not declared; jobs are load',
    "environments/green.yaml:1:1: acount is not a known property; did you mean account?",
    "environments/green.yaml:3:28: packages.libraries.repoUrl is for R packages only; sourceType is python_package",
    "environments/red.yaml:2:1: whitelist is there twice; merge the two into one",
    expect.stringMatching(/^environments\/red\.yaml:\d+:\d+: Flow sequence/),
    "environments/white.yaml:1:1: the file must hold properties, such as whitelist: or dataStores:",
  ]);
  expect(found.join("\n")).not.toContain("secret-in-plain-text");
});

test("once the shape is right, the rules of the resources and those across parts are checked", () => {
  write({
    "blue.yaml": `account: { name: blue, storageAccessKey: { $secret: key } }
whitelist: { addresses: [203.0.113.7, 203.0.113.7], exclusive: true }
groups:
  analysts: { id: 205, name: analysts, roles: [analyst] }
objectPolicies:
  plan: { sourceId: 502, policy: [], teamMay: [read] }
jobs:
  one: { tableRefresh: { dbName: a, hiveTable: b }, after: [two] }
  two: { tableRefresh: { dbName: a, hiveTable: b }, after: [one] }
`,
  });
  expect(mistakesIn("blue.yaml").map((line) => line.replace("blue.yaml:", ""))).toEqual([
    expect.stringMatching(/^2:1: whitelist.wayBackIn is required with exclusive/),
    expect.stringMatching(/^2:14: whitelist.addresses contains duplicates/),
    expect.stringMatching(/^4:24: groups.analysts.name is for a group that the environment creates/),
    "6:38: objectPolicies.plan.teamMay and policy are both set; use one of them",
    "8:53: jobs.one.after makes one wait for itself; break the circle",
    "9:53: jobs.two.after makes two wait for itself; break the circle",
  ]);
});

test("secrets are references, and stand nowhere else", () => {
  write({
    "blue.yaml": "dataStores:\n  a: { dbHost: h, dbName: n, dbPasswd: { $secret: other:password } }\n",
    "red.yaml": "dataStores:\n  a: { dbHost: { $secret: host }, dbName: n, dbPasswd: { $secret: 7 } }\n",
    "typo.yaml": `dataStores:
  a: { dbHost: h, dbName: n, dbPasswd: { $secrets: x } }
  b: { dbHost: h, dbName: n, dbPasswd: { $secret: crm password } }
  c: { dbHost: h, dbName: n, dbPasswd: { $secret: x, other: y } }
`,
  });
  const [blue] = readEnvironments("blue.yaml");
  expect(blue!.secrets).toEqual([
    { path: ["dataStores", "a", "dbPasswd"], name: "other:password", place: "blue.yaml:2:30" },
  ]);
  expect(mistakesIn("red.yaml")).toEqual([
    expect.stringContaining("red.yaml:2:8: dataStores.a.dbHost is not a secret property"),
    expect.stringContaining("red.yaml:2:46: dataStores.a.dbPasswd refers to a secret by something that is not a name"),
  ]);
  const typos = mistakesIn("typo.yaml");
  expect(typos).toEqual([
    "typo.yaml:2:30: dataStores.a.dbPasswd has the unknown reference $secrets; did you mean $secret?",
    expect.stringContaining("typo.yaml:3:30: dataStores.b.dbPasswd refers to a secret by something that is not a name"),
    "typo.yaml:4:30: dataStores.c.dbPasswd has other properties besides $secret; remove them",
  ]);
  // It may be the password itself.
  expect(typos.join()).not.toContain("crm password");
});

test.each([
  ["nothing", ""],
  ["a comment", "# later\n"],
  ["a part without a value", "dataStores:\n"],
  ["the schema alone", "$schema: a.json\n"],
])("a file with %s is not an environment without parts; {} is", (_, text) => {
  write({ "blue.yaml": text, "green.yaml": "{}\n" });
  expect(mistakesIn("blue.yaml")).toEqual([expect.stringContaining("blue.yaml:1:1: the file is empty")]);
  expect(readEnvironments("green.yaml")).toEqual([{ name: "green", file: "green.yaml", args: {}, secrets: [] }]);
});

test("a repeated key does not hide other mistakes, and an unknown anchor has its file", () => {
  write({
    "blue.yaml": "whitelist: { addresses: [203.0.113.7] }\nacount: { name: a }\nwhitelist:\n  address: [203.0.113.7]\n",
    "red.yaml": "dataStores: *stores\n",
  });
  expect(mistakesIn("blue.yaml")).toEqual([
    "blue.yaml:2:1: acount is not a known property; did you mean account?",
    "blue.yaml:3:1: whitelist is there twice; merge the two into one",
    "blue.yaml:4:3: whitelist.address is not a known property; did you mean addresses?",
  ]);
  expect(mistakesIn("red.yaml")).toEqual([expect.stringMatching(/^red\.yaml:1:1: Unresolved alias/)]);
});

test.each([
  ["environments/*.yaml", ["environments/Red.YAML", "environments/green.yml"]],
  ["environments/*.yml", ["environments/Red.YAML", "environments/blue.yaml"]],
  ["environments", ["environments/Red.YAML"]],
  ["environments/*", []],
  ["environments/blue.yaml", []],
])("%s leaves files with another extension out, and says so", (pattern, files) => {
  const names = ["blue.yaml", "green.yml", "Red.YAML", "notes.md"];
  write(Object.fromEntries(names.map((name) => [`environments/${name}`, "{}"])));
  expect(otherExtensions(pattern)).toEqual(files);
});

describe("across files", () => {
  const linesOf = (pattern: string) => mistakesIn(pattern, { inOneAccount: true });

  test("what two of them declare in one account has both places", () => {
    write({
      "teams/blue.yaml": `whitelist: { addresses: [203.0.113.7] }
groups:
  analysts: { id: 205, roles: [analyst], members: [104] }
objectPolicies:
  churn: { sourceId: 501, teamMay: [read] }
packages:
  libraries: { envId: 403, packages: [scikit-learn] }
`,
      "teams/green.yaml": `whitelist:
  addresses: [203.0.113.8]
  wayBackIn: [203.0.113.7]
groups:
  others:
    id: "205"
    roles: [analyst]
    members: [104]
objectPolicies:
  plan: { sourceId: "501", teamMay: [read] }
packages:
  all: { envId: 403, packages: [pyarrow, Scikit_Learn==1.5.0] }
`,
    });
    const same = (place: string, property: string, key: string, other: string) =>
      `teams/green.yaml:${place}: ${property} declares the ${key}, as teams/blue.yaml:${other} does; declare it only once`;
    expect(linesOf("teams")).toEqual([
      `${same("2:3", "whitelist.addresses", "address 203.0.113.7", "1:14")}, in one of the files or beside them as a WhitelistedIp`,
      same("7:5", "groups.others.roles", "role analyst of group 205", "3:24"),
      same("8:5", "groups.others.members", "member 104 of group 205", "3:42"),
      same("10:11", "objectPolicies.plan.sourceId", "policy of note/501", "5:12"),
      same("12:22", "packages.all.packages", "python_package scikit-learn of environment 403", "7:28"),
    ]);
    // A program may give each environment a provider of its own.
    expect(readEnvironments("teams")).toHaveLength(2);
  });

  test("accounts of their own may have the same addresses", () => {
    for (const name of ["blue", "green"])
      write({ [`teams/${name}.yaml`]: `account: { name: ${name} }\nwhitelist: { addresses: [203.0.113.7] }\n` });
    expect(linesOf("teams")).toEqual([]);
  });

  test("a former name is free, and one environment takes it over", () => {
    const store = "dataStores: { a: { dbHost: h, dbName: n } }\n";
    write({
      "teams/blue.yaml": store,
      "teams/green.yaml": `${store}renamedFrom: blue\n`,
      "teams/navy.yaml": `${store}renamedFrom: sea\n`,
      "teams/own.yaml": `${store}renamedFrom: own\n`,
      "teams/red.yaml": `${store}renamedFrom: sea\n`,
      "teams/text.yaml": `${store}renamedFrom: [sea]\n`,
    });
    expect(linesOf("teams")).toEqual([
      "teams/green.yaml:2:1: renamedFrom is blue, but teams/blue.yaml still declares that environment; delete that file, or remove renamedFrom",
      "teams/own.yaml:2:1: renamedFrom is own, the environment's own name; give the name that it had before",
      "teams/red.yaml:2:1: renamedFrom is sea, as in teams/navy.yaml:2:1; only one environment can take it over",
      "teams/text.yaml:2:1: renamedFrom must be a string, but is an array",
    ]);
  });
});

test("keys without a value count as absent, and anchors may be shared", () => {
  write({
    "blue.yaml": `$schema: ../environment.schema.json
dataStores:
  a: &store { dbHost: h, dbName: n, dbUser: reader }
  b: { <<: *store, dbName: m }
packages:
`,
  });
  expect(readEnvironments("blue.yaml")[0]!.args).toEqual({
    dataStores: {
      a: { dbHost: "h", dbName: "n", dbUser: "reader" },
      b: { dbHost: "h", dbName: "m", dbUser: "reader" },
    },
  });
});
