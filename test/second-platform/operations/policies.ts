import { type Answer, invalid, missing, ok, unshown } from "../answers";
import { type Call, needs, type Operation, operation, pick } from "../operation";
import { Parameters } from "../parameters";
import type { PolicyElement, PolicyObject, PolicySource } from "../state";
import type { World } from "../world";

const objectActions = ["read", "update", "delete", "manage", "all"];

function decode(call: Call): unknown {
  const text = call.parameters.text("policy");
  if (text === undefined) throw invalid("policy is required");
  try {
    return JSON.parse(text);
  } catch {
    throw invalid("policy is not JSON");
  }
}

const lists = ["svc_users", "svc_groups"] as const;

function readIds(call: Call, name: (typeof lists)[number], value: unknown): number[] {
  const { switches, data } = call.world;
  if (!Array.isArray(value)) throw invalid(`${name} must be an array`);
  const ids = value.map((id: unknown) => {
    if (typeof id !== "number" || !Number.isInteger(id)) throw invalid(`${name} must hold integers`);
    return id;
  });
  if (name === "svc_groups" || switches.policyUserIds === "not checked") return ids;
  const users = data.users.filter((user) => user.accountId === call.user.accountId);
  const known = users.map((user) => (switches.policyUserIds === "id of get_users" ? user.id : user.userId));
  const stranger = ids.find((id) => !known.includes(id));
  if (stranger !== undefined) throw invalid(`${name}: ${stranger} is not known`);
  return ids;
}

function readCondition(call: Call, value: unknown): NonNullable<PolicyElement["condition"]> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalid("condition must be an object");
  const condition: NonNullable<PolicyElement["condition"]> = {};
  for (const name of lists) {
    const list = (value as Record<string, unknown>)[name];
    if (list !== undefined) condition[name] = readIds(call, name, list);
  }
  if (Object.values(condition).every((list) => list.length === 0)) throw invalid("condition names nobody");
  return condition;
}

function readActions(value: unknown, allowed: readonly string[] | undefined): string[] {
  if (!Array.isArray(value) || value.length === 0) throw invalid("action must be an array of actions");
  return value.map((action: unknown) => {
    if (typeof action !== "string" || action === "") throw invalid("each action is a string");
    if (allowed && !allowed.includes(action)) throw invalid(`action ${action} is not known`);
    return action;
  });
}

function readElement(call: Call, value: unknown, allowed: readonly string[] | undefined): PolicyElement {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalid("each element is an object");
  const { access, action, condition } = value as Record<string, unknown>;
  if (access !== "allow" && access !== "deny") throw invalid("access must be allow or deny");
  const element: PolicyElement = { access };
  if (action === undefined && condition === undefined) return element;
  element.action = readActions(action, allowed);
  if (condition !== undefined) element.condition = readCondition(call, condition);
  return element;
}

function kept(call: Call, policy: PolicyElement[]): PolicyElement[] {
  switch (call.world.switches.policyKept) {
    case "deny-all appended": {
      const [svc_users, svc_groups] = lists.map((name) => [
        ...new Set(policy.flatMap((one) => one.condition?.[name] ?? [])),
      ]) as [number[], number[]];
      return [...policy, { access: "deny", action: ["all"], condition: { svc_users, svc_groups } }];
    }
    case "actions sorted":
      return policy.map((one) => (one.action ? { ...one, action: one.action.toSorted() } : one));
    case "ids sorted":
      return policy.map((one) => {
        const sorted = Object.entries(one.condition ?? {}).map(([name, ids]) => [
          name,
          ids.toSorted((a, b) => Number(a) - Number(b)),
        ]);
        return one.condition ? { ...one, condition: Object.fromEntries(sorted) } : one;
      });
    case "all written out":
      return policy.map((one) =>
        one.action?.includes("all") ? { ...one, action: ["read", "update", "delete"] } : one,
      );
    default:
      return policy;
  }
}

/** Reads the policy of a set request; "unchanged" where an empty one has no effect. Folders have any actions. */
function readPolicy(call: Call, actions?: readonly string[]): PolicyElement[] | null | "unchanged" {
  const decoded = decode(call);
  if (!Array.isArray(decoded)) throw invalid("policy must be an array");
  if (decoded.length === 0) {
    const way = call.world.switches.policyEmpty;
    if (way === "refused") throw invalid("policy has no elements");
    if (way === "without effect") return "unchanged";
    return way === "removes the policy" ? null : [];
  }
  const elements = decoded.map((element) => readElement(call, element, actions));
  return kept(call, elements);
}

const path = "/api/v1.2/object_policy/policy";
const viewTypes: readonly PolicySource[] = ["cluster", "environment", "note", "scheduler"];
const setTypes = viewTypes.filter((type) => type !== "environment");

function objectOf(call: Call, parameters: Parameters, types: readonly PolicySource[]): PolicyObject {
  parameters.needs("source_id", "source_type");
  const id = parameters.text("source_id") ?? "";
  const type = parameters.oneOf("source_type", types);
  return pick(call, call.world.data.objects, (one) => one.type === type && String(one.id) === id, `${type} ${id}`);
}

function set(call: Call): Answer {
  const { world, parameters } = call;
  const { switches } = world;
  parameters.only("source_id", "source_type", "policy");
  const object = objectOf(call, parameters, setTypes);
  const policy = readPolicy(call, objectActions);
  if (policy !== "unchanged") {
    object.previous = { policy: object.policy, delay: world.delay(switches.policyDelay) };
    object.policy = policy;
  }
  return unshown(switches.unshownAnswer, { source_id: String(object.id), source_type: object.type, policy });
}

function setFolder(call: Call): Answer {
  const { world, parameters } = call;
  parameters.only("location", "source_type", "type", "policy", "name").mayNeed(["source_type", "type"]);
  parameters.oneOf("source_type", ["Folder"]);
  const location = parameters.needs("location").text("location");
  const type = parameters.oneOf("type", ["notes", "notebook_dashboards"]);
  const folder = pick(
    call,
    world.data.folders,
    (one) => one.location === location && (type === undefined || type === one.type),
    `folder ${location}`,
  );
  const policy = readPolicy(call);
  if (policy !== "unchanged") folder.policy = policy;
  const { accountId: _, ...record } = folder;
  return unshown(world.switches.unshownAnswer, record);
}

function shownCondition(world: World, condition: PolicyElement["condition"]): Record<string, unknown> | undefined {
  if (!condition) return undefined;
  const { switches } = world;
  const filler = { "empty lists filled in": [], "nulls filled in": null }[switches.policyViewLists as string];
  const shown: Record<string, unknown> = {};
  for (const name of lists) {
    const ids = switches.policyViewIds === "text" ? condition[name]?.map(String) : condition[name];
    const value = switches.policyViewLists === "lists of objects" ? ids?.map((id) => ({ id })) : ids;
    if (value !== undefined || filler !== undefined) shown[name] = value ?? filler;
  }
  if (switches.policyViewLists === "unknown field beside") shown["svc_roles"] = [];
  return shown;
}

function shownElement(world: World, element: PolicyElement, index: number): Record<string, unknown> {
  const { switches } = world;
  const { action } = element;
  const condition = shownCondition(world, element.condition);
  const actions = {
    "as sent": action,
    "comma text": action?.join(","),
    "upper case": action?.map((one) => one.toUpperCase()),
  }[switches.policyViewAction];
  const nulls = switches.policyViewExtras === "null fields";
  return {
    access: element.access,
    ...(actions !== undefined ? { action: actions } : nulls && { action: null }),
    ...(condition !== undefined ? { condition } : nulls && { condition: null }),
    ...(switches.policyViewExtras === "id and created_at" && { id: 700 + index, created_at: world.stamp(world.now()) }),
  };
}

function wrapped(world: World, object: PolicyObject, list: unknown[]): unknown {
  const text = JSON.stringify(list);
  return {
    list,
    "JSON text": text,
    "under policy": { policy: list },
    "under policy as text": { policy: text },
    "under object_policy": { object_policy: list },
    "under object_policy.policy": { object_policy: { source_id: object.id, source_type: object.type, policy: list } },
    "under object_policy.policy as text": {
      object_policy: { source_id: String(object.id), source_type: object.type, policy: text },
    },
    "under policy.policy": { policy: { policy: list } },
    "list of one record": [{ source_id: object.id, source_type: object.type, policy: list }],
  }[world.switches.policyView];
}

function noPolicy(world: World, object: PolicyObject): Answer {
  const form = world.switches.policyViewNone;
  if (form === "missing") throw missing("the object has no policy");
  const ofOwner = [{ access: "allow", action: ["all"], condition: { svc_users: [object.owner] } }];
  return {
    "[]": ok([]),
    "{}": ok({}),
    null: ok(null),
    "empty body": { status: 200 },
    "policy null": ok({ policy: null }),
    "policy []": ok({ policy: [] }),
    "owner only": ok(wrapped(world, object, ofOwner)),
  }[form];
}

function inOrder(world: World, policy: PolicyElement[]): PolicyElement[] {
  if (world.switches.policyViewOrder === "reversed") return policy.toReversed();
  if (world.switches.policyViewOrder === "as sent") return policy;
  return [...policy.filter((one) => one.access === "deny"), ...policy.filter((one) => one.access !== "deny")];
}

function view(call: Call): Answer {
  const { world } = call;
  const source = world.switches.policyViewSource === "body only" ? call.body : { ...call.query, ...call.body };
  const parameters = new Parameters(world.switches, source).only("source_id", "source_type");
  const object = objectOf(call, parameters, viewTypes);
  const old = object.previous;
  const policy = old && !world.passed(old.delay) ? old.policy : object.policy;
  if (policy === null) return noPolicy(world, object);
  const elements = inOrder(world, policy).map((element, index) => shownElement(world, element, index));
  return ok(wrapped(world, object, elements));
}

export const policyOperations: readonly Operation[] = [
  operation("folders.policy", "PUT /api/v1.2/folders/policy", needs.submitCommand, setFolder),
  operation("objectPolicy.set", `PUT ${path}`, needs.setObjectPolicy, set),
  operation("objectPolicy.view", `GET ${path}`, needs.viewObjectPolicy, view),
];
