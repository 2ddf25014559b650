import { type Answer, missing, ok, unshown } from "../answers";
import type { PolicyElement, PolicyObject, SourceType } from "../model";
import { type Call, needs, type Operation, operation } from "../operation";
import { Parameters } from "../parameters";
import { readPolicy } from "../policy";
import { pick } from "../rights";
import type { World } from "../world";

const path = "/api/v1.2/object_policy/policy";
const viewTypes: readonly SourceType[] = ["cluster", "environment", "note", "scheduler"];
const setTypes = viewTypes.filter((type) => type !== "environment");

function objectOf(call: Call, parameters: Parameters, types: readonly SourceType[]): PolicyObject {
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
  const policy = readPolicy(call, "object");
  if (policy !== "unchanged") {
    object.previous = { policy: object.policy, delay: world.delay(switches.policyDelay) };
    object.policy = policy;
  }
  return unshown(switches.unshownAnswer, { source_id: String(object.id), source_type: object.type, policy });
}

type Ids = (number | string)[] | undefined;

function shownCondition(world: World, condition: PolicyElement["condition"]): Record<string, unknown> | undefined {
  if (!condition) return undefined;
  const { switches } = world;
  const ids = (list: Ids): unknown[] | undefined => {
    const form = switches.policyViewIds === "text" ? list?.map(String) : list;
    return switches.policyViewLists === "lists of objects" ? form?.map((id) => ({ id })) : form;
  };
  const filler = { "empty lists filled in": [], "nulls filled in": null }[switches.policyViewLists as string];
  const shown: Record<string, unknown> = {};
  for (const name of ["svc_users", "svc_groups"] as const) {
    const value = ids(condition[name]) ?? filler;
    if (value !== undefined) shown[name] = value;
  }
  if (switches.policyViewLists === "unknown field beside") shown["svc_roles"] = [];
  return shown;
}

function shownElement(world: World, element: PolicyElement, index: number): Record<string, unknown> {
  const { switches } = world;
  const { action } = element;
  const condition = shownCondition(world, element.condition);
  const actions =
    switches.policyViewAction === "comma text"
      ? action?.join(",")
      : switches.policyViewAction === "upper case"
        ? action?.map((one) => one.toUpperCase())
        : action;
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
    list: list,
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
  return ok(
    wrapped(
      world,
      object,
      inOrder(world, policy).map((element, index) => shownElement(world, element, index)),
    ),
  );
}

export const objectPolicyOperations: readonly Operation[] = [
  operation("objectPolicy.set", `PUT ${path}`, needs.setObjectPolicy, set),
  operation("objectPolicy.view", `GET ${path}`, needs.viewObjectPolicy, view),
];
