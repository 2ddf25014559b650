import { defineRule } from "../rule";
import { isMissing } from "../values";

export const commandTriggers = defineRule({
  name: "command-triggers",
  description: "Every command says in triggers when it runs again.",
  why: "A Command is submitted once: without triggers nobody can tell whether that is meant, and what it made is never renewed when its data or code changes.",
  fix: "Set triggers to what the command depends on, such as a version or a date. For a command on every up, use submitCommand.",
  types: ["Command"],

  checkResource(resource) {
    const { triggers } = resource.properties;
    const isEmpty = typeof triggers === "object" && triggers !== null && Object.keys(triggers).length === 0;
    return isMissing(triggers) || isEmpty ? [{ resource, property: "triggers", problem: "is missing" }] : [];
  },
});
