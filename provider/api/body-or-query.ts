import { isPlatformError, leavesOutcomeOpen } from "./errors";

type Parameters = Readonly<Record<string, string>>;

export interface Sent {
  readonly body?: Parameters;
  readonly query?: Parameters;
}

/**
 * Sends the parameters of a GET or DELETE in a JSON body, as the API's manual says. A proxy may drop such a body, or the
 * platform may ignore it. A rejected request was not carried out, so it is repeated with a query; if that is rejected
 * too, the first error counts. Any other error is about the request itself.
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
