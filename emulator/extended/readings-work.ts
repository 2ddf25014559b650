import type { Reading } from "../readings-catalogue";

/** Commands, packages, folders, accounts, the whitelist and Hive. In the order of docs/extended-api.md; the first value of each is the default. */
export const workReadings = {} as const satisfies Record<string, Reading>;
