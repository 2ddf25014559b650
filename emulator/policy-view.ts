import { notFound } from "./errors";
import type { Policy } from "./policy";
import type { Readings } from "./readings";
import type { Context } from "./router";

/** What the policy is of: the fields that name it in the answer, and a name for errors. */
interface Source {
  fields: object;
  name: string;
}

/** The view of a policy, whose form the specification leaves open. */
export function viewPolicy({ fields, name }: Source, policy: Policy, { store, readings }: Context): unknown {
  if (policy.length === 0 && readings.policyMissing !== "usual") return missing(name, readings.policyMissing);
  const elements = policy.map((element) => viewElement(element, readings));
  const text = JSON.stringify(elements);
  const forms = {
    wrapped: { ...fields, policy: elements },
    "wrapped-text": { ...fields, policy: text },
    "policy-only": { policy: elements },
    array: elements,
    text,
  };
  const encoded = readings.policyView === "wrapped" && store.settings.viewPolicyAs === "string";
  return forms[encoded ? "wrapped-text" : readings.policyView];
}

function missing(name: string, form: Exclude<Readings["policyMissing"], "usual">): unknown {
  if (form === "404") throw notFound(`${name} has no policy`);
  return { array: [], object: {}, null: null, empty: undefined }[form];
}

function viewElement(element: Policy[number], { policyIdLists, policyFields, idType }: Readings): unknown {
  const asId = (id: number) => (idType === "text-everywhere" ? String(id) : id);
  const { condition, ...rest } = element;
  const lists = policyIdLists === "filled" ? { svc_users: [], svc_groups: [], ...condition } : condition;
  return {
    ...rest,
    ...(lists && {
      condition: {
        ...lists,
        ...(lists.svc_users && { svc_users: lists.svc_users.map(asId) }),
        ...(lists.svc_groups && { svc_groups: lists.svc_groups.map(asId) }),
        ...(policyFields === "added" && { svc_roles: [] }),
      },
    }),
    ...(policyFields === "added" && { resource: "object" }),
  };
}
