/** What can be listed and declared, in the order of the reports. */
export const kinds = ["account", "address", "user", "role", "group", "member", "group-role", "data-store"] as const;
export type Kind = (typeof kinds)[number];
