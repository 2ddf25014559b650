import { type ErrorCode, PlatformError } from "../api/errors";
import type { PartialFailure } from "../core/guard";
import type { Properties } from "../core/properties";
import type { PropertyPath } from "../core/secrets";
import { Refusal, status } from "../engine/grpc-server";
import { toStruct } from "./marshal";
import { errorStubs, messages } from "./stubs";

/**
 * The gRPC status of each error. Only UNKNOWN tells the engine that the outcome is unknown: it then records a pending
 * operation.
 */
const codes: Readonly<Record<ErrorCode, number>> = {
  config: status.failedPrecondition,
  "invalid-path": status.invalidArgument,
  unauthorized: status.unauthenticated,
  forbidden: status.permissionDenied,
  "not-found": status.notFound,
  conflict: status.alreadyExists,
  rejected: status.invalidArgument,
  throttled: status.resourceExhausted,
  "server-error": status.unavailable,
  unreachable: status.unavailable,
  "connection-lost": status.unavailable,
  timeout: status.deadlineExceeded,
  redirected: status.failedPrecondition,
  "bad-answer": status.failedPrecondition,
  "answer-too-large": status.failedPrecondition,
  "wrong-account": status.failedPrecondition,
  "outcome-unknown": status.unknown,
  cancelled: status.cancelled,
};

export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof PlatformError) return new Refusal(codes[error.code], error.message);
  // A bug: only then is the text for us rather than for the user.
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new Refusal(status.internal, `the provider failed unexpectedly; please report this: ${text}`);
}

/** A partial success as the engine expects it: the state keeps the resource, and the user sees the reason. */
export function partialSuccess(
  { existing: { id, state }, reason }: PartialFailure,
  inputs: Properties,
  secrets: readonly PropertyPath[],
): Refusal {
  const stubs = errorStubs();
  const detail = new messages.ErrorResourceInitFailed()
    .setId(id)
    .setProperties(toStruct(state, secrets))
    .setInputs(toStruct(inputs, secrets))
    .setReasonsList([reason]);
  const any = new stubs.any.Any();
  any.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const answer = new stubs.status.Status();
  answer.setCode(status.unknown);
  answer.setMessage(reason);
  answer.addDetails(any);
  return new Refusal(status.unknown, reason, answer.serializeBinary());
}
