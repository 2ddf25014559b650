import { isPlatformError, leavesOutcomeOpen } from "./errors";

type Parameters = Readonly<Record<string, string>>;

export interface Sent {
  readonly body?: Parameters;
  readonly query?: Parameters;
}

/**
 * Parameters of a GET or a DELETE go into a JSON body, as the API's manual has it. What stands before the platform may
 * drop such a body, or the platform may not look for one: what was refused then was not done, and is asked for again by
 * the query. If that is invalid too, the first refusal counts; any other word is about the thing itself.
 */
export async function inBodyOrQuery<T>(parameters: Parameters, send: (parameters: Sent) => Promise<T>): Promise<T> {
  try {
    return await send({ body: parameters });
  } catch (error) {
    if (!isPlatformError(error, "rejected") || leavesOutcomeOpen(error)) throw error;
    return send({ query: parameters }).catch((second: unknown) => {
      throw isPlatformError(second, "rejected") && !leavesOutcomeOpen(second) ? error : second;
    });
  }
}
