/** What the API cannot do, in sentences for the documentation page. */
export interface Limits {
  /** Of a resource without `read`: why, without a full stop, such as `the API cannot show a data store`. */
  readonly unseen?: string;
  readonly refresh?: string;
  readonly update?: string;
  readonly destroy?: string;
}

/** What refresh sees. Undefined if it sees everything. */
export function refreshLimit({ refresh, unseen }: Limits): string | undefined {
  return refresh ?? (unseen && `Nothing: ${unseen}, so refresh keeps the state as it is.`);
}
