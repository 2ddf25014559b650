import { type ErrorCode, PlatformError } from "../api/errors";
import type { PartialFailure } from "../core/guard";
import type { Properties } from "../core/values";
import { grpc } from "../engine/stubs";
import { toStruct } from "./marshal";
import { errorStubs, messages } from "./stubs";

const { status } = grpc;

/**
 * The gRPC status of each error. Only UNKNOWN tells the engine that the outcome is unknown: it then records a pending
 * operation.
 */
const codes: Readonly<Record<ErrorCode, number>> = {
  config: status.FAILED_PRECONDITION,
  "invalid-path": status.INVALID_ARGUMENT,
  unauthorized: status.UNAUTHENTICATED,
  forbidden: status.PERMISSION_DENIED,
  "not-found": status.NOT_FOUND,
  conflict: status.ALREADY_EXISTS,
  rejected: status.INVALID_ARGUMENT,
  throttled: status.RESOURCE_EXHAUSTED,
  "server-error": status.UNAVAILABLE,
  unreachable: status.UNAVAILABLE,
  "connection-lost": status.UNAVAILABLE,
  timeout: status.DEADLINE_EXCEEDED,
  redirected: status.FAILED_PRECONDITION,
  "bad-answer": status.FAILED_PRECONDITION,
  "answer-too-large": status.FAILED_PRECONDITION,
  "wrong-account": status.FAILED_PRECONDITION,
  "outcome-unknown": status.UNKNOWN,
  cancelled: status.CANCELLED,
};

export interface WireError {
  readonly code: number;
  readonly details: string;
  readonly metadata?: InstanceType<typeof grpc.Metadata>;
}

export function toWireError(error: unknown): WireError {
  if (error instanceof PartialSuccessOnWire) return error.wire;
  if (error instanceof PlatformError) return { code: codes[error.code], details: error.message };
  // A bug: only then is the text for us rather than for the user.
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: status.INTERNAL, details: `the provider failed unexpectedly; please report this: ${text}` };
}

/** A partial success as the engine expects it: the state keeps the resource, and the user sees the reason. */
export class PartialSuccessOnWire extends Error {
  readonly wire: WireError;

  constructor(failure: PartialFailure, inputs: Properties, secrets: readonly string[]) {
    super(failure.reason);
    const detail = new messages.ErrorResourceInitFailed();
    detail.setId(failure.existing.id);
    detail.setProperties(toStruct(failure.existing.state, secrets));
    detail.setInputs(toStruct(inputs, secrets));
    detail.setReasonsList([failure.reason]);
    this.wire = { code: status.UNKNOWN, details: failure.reason, metadata: withDetail(failure.reason, detail) };
  }
}

function withDetail(message: string, detail: InstanceType<typeof messages.ErrorResourceInitFailed>) {
  const stubs = errorStubs();
  const any = new stubs.any.Any();
  any.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const answer = new stubs.status.Status();
  answer.setCode(status.UNKNOWN);
  answer.setMessage(message);
  answer.addDetails(any);
  const metadata = new grpc.Metadata();
  // The header in which gRPC carries details; grpc-js has no name for it.
  metadata.add("grpc-status-details-bin", Buffer.from(answer.serializeBinary()));
  return metadata;
}
