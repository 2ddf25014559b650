import { describe, expect, test } from "vitest";
import { managedResources } from "../../../cli/pulumi/managed";
import { isDefaultProvider, ownType, urnOfReference, urnParts } from "../../../provider/core/urn";
import { prefix, resource } from "../cli/stacks";

const ours = "dataplatform:index:Group";
const team = "dataplatform:index:TeamEnvironment";

test.each([
  [`${ours}::admins`, { parentTypes: [], type: ours, name: "admins" }],
  [`${team}$${ours}::blue-admins`, { parentTypes: [team], type: ours, name: "blue-admins" }],
  [`my:index:Site$${team}$${ours}::a`, { parentTypes: ["my:index:Site", team], type: ours, name: "a" }],
  [`${ours}::a::b::c`, { parentTypes: [], type: ours, name: "a::b::c" }],
  [`${team}$${ours}::a$b::c`, { parentTypes: [team], type: ours, name: "a$b::c" }],
])("%s is taken apart", (rest, parts) => {
  expect(urnParts(`${prefix}${rest}`)).toEqual({ stack: "dev", project: "shop", ...parts });
});

test("a type of others is not ours, whatever its last part is called", () => {
  expect(["dataplatform:index:Group", "pulumi-nodejs:dynamic/dataplatform:Group"].map(ownType)).toEqual([
    "Group",
    "Group",
  ]);
  expect(["aws:index:Group", "pulumi-nodejs:dynamic:Resource", "x:dataplatform:index:Group"].filter(ownType)).toEqual(
    [],
  );
});

describe("the provider of a resource", () => {
  const providerOf = (reference: string) => {
    const [managed] = managedResources([resource("Group", "a", "1", {}, { provider: reference })]);
    return managed?.provider;
  };
  const type = "pulumi:providers:dataplatform";

  test.each([
    `${type}::research`,
    `${team}$${type}::blue`,
    `my:index:Site$${team}$${type}::blue`,
    `${type}::a::b`,
    `${team}$${type}::default`,
    `my:index:Site$${team}$${type}::default_1::b`,
  ])("%s is explicit", (rest) => {
    expect(providerOf(`${prefix}${rest}::p1`)).toBe(`${prefix}${rest}`);
    expect(urnOfReference(`${prefix}${rest}::p1`)).toBe(`${prefix}${rest}`);
  });

  test.each([
    `${type}::default`,
    `${type}::default_0_1_0`,
    "pulumi:providers:pulumi-nodejs::default",
    // Another provider, whose name reads like ours.
    `pulumi:providers:pulumi-nodejs::a::${type}::b`,
  ])("%s is not one of ours with settings of its own", (rest) => {
    expect(providerOf(`${prefix}${rest}::p1`)).toBeUndefined();
  });

  test("is the engine's only if it has no parent", () => {
    expect(isDefaultProvider(`${prefix}${type}::default_1_2_3`)).toBe(true);
    expect(isDefaultProvider(`${prefix}${team}$${type}::default_1_2_3`)).toBe(false);
  });
});
