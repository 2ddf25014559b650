import type { Resource } from "../resource";
import { defineRule } from "../rule";

/** What happens to one of each type without protection. */
const consequences: Readonly<Record<string, string>> = {
  Account:
    "The API cannot remove an account, and only the extended API can change one: a destroy, or a removal from the program, loses its token, which the API does not show again, and a replacement leaves a second account behind. Their previews do not say so.",
  DataStore:
    "Without the extended API, nothing can remove or change a data store, so a replacement leaves a second one behind; with it, a destroy deletes the data store, and commands that use it fail.",
};

export const protectedData = defineRule({
  name: "protected-data",
  description: "Accounts and data stores are protected from being destroyed or replaced.",
  why: Object.values(consequences).join(" "),
  fix: "Set the resource option protect: true, on the TeamEnvironment if it is part of one: the preview of a removal then fails. To remove or replace the resource on purpose, take the option away again first.",
  types: Object.keys(consequences),
  checkResource: (resource) => (resource.isProtected ? [] : [unprotected(resource)]),
});

function unprotected(resource: Resource) {
  return { resource, problem: "has no protect", why: consequences[resource.type]! };
}
