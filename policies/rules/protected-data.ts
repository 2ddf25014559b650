import type { Resource } from "../resource";
import { defineRule } from "../rule";

/** What happens to one of each type without protection. */
const consequences: Readonly<Record<string, string>> = {
  Account:
    "The API cannot remove an account, and only the extended API can change one: a destroy loses its token, and a replacement leaves a second account behind.",
  DataStore:
    "Without the extended API, nothing can remove or change a data store, so a replacement leaves a second one behind; with it, a destroy deletes the data store, and commands that use it fail.",
};

export const protectedData = defineRule({
  name: "protected-data",
  description: "Accounts and data stores are protected from being destroyed or replaced.",
  why: Object.values(consequences).join(" "),
  fix: "Set the resource option protect: true; to remove or replace the resource on purpose, remove that option first.",
  types: Object.keys(consequences),
  checkResource: (resource) => (resource.isProtected ? [] : [unprotected(resource)]),
});

function unprotected(resource: Resource) {
  return { resource, problem: "has no protect", why: consequences[resource.type]! };
}
