export { type PackOptions, pack } from "./pack";
export { policies, type SdkPolicy } from "./policy-sdk";
export type { Resource } from "./resource";
export { type Context, defineRule, type Level, type Option, type OptionTypes, type Rule, type Violation } from "./rule";
export { rules } from "./rules";
export { holdsUnknown, isMissing, listOf, objectOf, type Properties, textOf, textsOf, unknownYet } from "./values";
