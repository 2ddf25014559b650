import { notFound } from "./errors";
import type { Policy } from "./policy";
import type { Readings } from "./readings";

interface Source {
  source_id: string;
  source_type: string;
}

/** The view of an object's policy, whose form the specification leaves open. */
export function viewPolicy(source: Source, policy: Policy, readings: Readings): unknown {
  if (policy.length === 0 && readings.policyMissing !== "usual") return missing(source, readings.policyMissing);
  const elements = policy.map((element) => viewElement(element, readings));
  switch (readings.policyView) {
    case "wrapped":
      return { ...source, policy: elements };
    case "wrapped-text":
      return { ...source, policy: JSON.stringify(elements) };
    case "policy-only":
      return { policy: elements };
    case "array":
      return elements;
    case "text":
      return JSON.stringify(elements);
  }
}

function missing(source: Source, form: Exclude<Readings["policyMissing"], "usual">): unknown {
  switch (form) {
    case "array":
      return [];
    case "object":
      return {};
    case "null":
      return null;
    case "empty":
      return undefined;
    case "404":
      throw notFound(`${source.source_type} ${source.source_id} has no policy`);
  }
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
