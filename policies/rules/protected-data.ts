import { defineRule } from "../rule";

export const protectedData = defineRule({
  name: "protected-data",
  description: "Accounts and data stores are protected from being destroyed or replaced.",
  why: "The API cannot remove or, without the extended API, change them: a destroy loses the account's token, and a replacement leaves a second one behind.",
  fix: "Set the resource option protect: true; to remove or replace the resource on purpose, take it away again first.",
  types: ["Account", "DataStore"],
  checkResource: (resource) => (resource.isProtected ? [] : [{ resource, problem: "has no protect" }]),
});
