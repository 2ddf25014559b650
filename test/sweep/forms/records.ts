import type { Hook } from "../../harness/go-between";
import { type Form, formsOf, inJson, is } from "./form";

type Fields = Readonly<Record<string, unknown>>;

const views = {
  "data store": { at: /^GET .*\/db_taps\/\d+$/, types: ["DataStore"], keys: ["db_tap"] },
  group: { at: /^GET .*\/groups\/\d+$/, types: ["Group"], keys: ["group", "groups"] },
  role: { at: /^GET .*v1\.2\/roles\/\d+$/, types: ["Role"], keys: ["role", "roles"] },
  command: { at: /^GET .*\/commands\/\d+$/, types: ["Command"], keys: ["command"] },
} as const;

const envelopes: readonly Form[] = Object.entries(views).flatMap(([what, { at, types, keys }]) => [
  ...keys.map((key) => ({
    title: `a ${what} under ${key}`,
    types,
    answers: () => inJson(at, (body) => ({ status: "success", [key]: body })),
  })),
  { title: `a ${what} as a list of one`, types, answers: () => inJson(at, (body) => [body]) },
]);

/** A record in the view and in the list, with other fields. */
function everywhere(what: keyof typeof views, list: RegExp, change: (record: Fields) => Fields): Hook {
  const view = inJson(views[what].at, (body) => change(body as Fields));
  const inList = inJson(list, (body) =>
    Object.fromEntries(
      Object.entries(body as Fields).map(([key, value]) => [key, Array.isArray(value) ? value.map(change) : value]),
    ),
  );
  return (passing) => (is(list, passing) ? inList(passing) : view(passing));
}

const groupFields: Readonly<Record<string, (group: Fields) => Fields>> = {
  "with group_name": ({ name, ...rest }) => ({ ...rest, group_name: name }),
  "nested under group": (group) => ({ group }),
  "without its source": ({ id, name }) => ({ id, name }),
  "with counts": (group) => ({ ...group, members: 2, roles: 2 }),
};

const storeFields: Readonly<Record<string, (store: Fields) => Fields>> = {
  "with stars of the password's length": (store) => ({ ...store, db_passwd: "*".repeat(15) }),
  "with a password that is null": (store) => ({ ...store, db_passwd: null }),
  "with a port in a text": (store) => ({ ...store, port: store["port"] === null ? null : String(store["port"]) }),
  "with its type in upper case": (store) => ({ ...store, db_type: String(store["db_type"]).toUpperCase() }),
  "with postgres for postgresql": (store) => ({ ...store, db_type: "postgres" }),
  "with a name that is null": (store) => ({ ...store, name: null }),
  "with a gateway that is null": (store) => ({ ...store, gateway_ip: null, gateway_private_key: null }),
};

const commandFields: Readonly<Record<string, (command: Fields) => Fields>> = {
  "with its status in upper case": (command) => ({ ...command, status: String(command["status"]).toUpperCase() }),
  "with progress in a text": (command) => ({ ...command, progress: String(command["progress"]) }),
  "without progress": ({ progress: _, ...rest }) => rest,
  "with progress as null": (command) => ({ ...command, progress: null }),
  "with a qlog that is an object": (command) => ({ ...command, qlog: { rows: 1 } }),
  "with times in texts": (command) => ({ ...command, created_at: "1718452800", start_time: "1718452800" }),
  "with throttled": (command) => ({ ...command, throttled: true, job_url: "https://jobs.example.com/1" }),
};

interface Element {
  readonly access: string;
  readonly resource: string;
  readonly action: readonly string[];
}
const sorted = (elements: readonly Element[]) => elements.map((one) => ({ ...one, action: one.action.toSorted() }));

/** How a role's policy may come back. */
const policyFields: Readonly<Record<string, (elements: Element[]) => Fields>> = {
  "with blanks in its policy": (elements) => ({ policy: JSON.stringify(elements, null, 2) }),
  "with a policy and policies": (elements) => ({ policy: JSON.stringify(elements), policies: elements }),
  "with policies as a list": (elements) => ({ policies: elements }),
  "with its policy as a text of a text": (elements) => ({ policy: JSON.stringify(JSON.stringify(elements)) }),
  "with sorted actions": (elements) => ({ policy: JSON.stringify(sorted(elements)) }),
  "with reversed elements": (elements) => ({ policy: JSON.stringify(elements.toReversed()) }),
  "with ids in its policy": (elements) => ({ policy: JSON.stringify(elements.map((one, id) => ({ id, ...one }))) }),
  "with one action as a text": (elements) => ({
    policy: JSON.stringify(
      elements.map((one) => ({ ...one, action: one.action.length === 1 ? one.action[0] : one.action })),
    ),
  }),
};

export const recordForms: readonly Form[] = [
  ...envelopes,
  ...formsOf("a group", ["Group", "GroupMembership"], groupFields, (change) =>
    everywhere("group", /^GET .*\/groups$/, change),
  ),
  ...formsOf("a data store", ["DataStore"], storeFields, (change) =>
    everywhere("data store", /^GET .*\/db_taps\/?$/, change),
  ),
  ...formsOf("a command", ["Command"], commandFields, (change) =>
    inJson(views.command.at, (body) => change(body as Fields)),
  ),
  ...formsOf("a role", ["Role"], policyFields, (change) =>
    everywhere("role", /^GET .*v1\.2\/roles$/, ({ policy, ...rest }) => ({
      ...rest,
      ...change(JSON.parse(String(policy))),
    })),
  ),
];
