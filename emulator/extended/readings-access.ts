import type { Reading } from "../readings-catalogue";

/** Data stores, groups, roles and users. In the order of docs/extended-api.md; the first value of each is the default. */
export const accessReadings = {} as const satisfies Record<string, Reading>;
