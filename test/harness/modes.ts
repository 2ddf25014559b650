export type Mode = "dynamic" | "plugin";

/** What lies in test/modes runs twice: in dynamic mode with `npm test`, in plugin mode in the release tier. */
export const mode: Mode = process.env["TEST_TIER"] === "release" ? "plugin" : "dynamic";
