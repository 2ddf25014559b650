import { mask } from "./mask";

export interface LoggedRequest {
  operation: string;
  method: string;
  path: string;
  /** The answer's status; null if the connection was reset instead. */
  status: number | null;
  at: string;
  body: unknown;
  /** Only kept for the newest requests; null if the connection was reset instead. */
  answer?: unknown;
  account: number | null;
  /** The kind of fault that was injected, if any. */
  fault?: string;
}

export interface RequestReport {
  counts: Record<string, number>;
  total: number;
  bytesIn: number;
  requests: LoggedRequest[];
}

const kept = 5000;
const keptAnswers = 500;
const largestBody = 16 * 1024;

/** Counts every API request and keeps the newest ones, with secrets masked. */
export class RequestLog {
  #counts: Record<string, number> = {};
  #total = 0;
  #bytesIn = 0;
  #requests: LoggedRequest[] = [];
  /** Increases with every change to the log, including clearing it. */
  changes = 0;

  /** `answer` is the text as sent; it is parsed only when the log is read. */
  add(request: LoggedRequest & { answer: string | null }, bytes: number): void {
    this.changes += 1;
    this.#counts[request.operation] = (this.#counts[request.operation] ?? 0) + 1;
    this.#total += 1;
    this.#bytesIn += bytes;
    const { answer, body } = request;
    this.#requests.push({
      ...request,
      body: bytes > largestBody ? `(${bytes} bytes)` : body,
      answer: answer !== null && answer.length > largestBody ? `(${answer.length} characters)` : answer,
    });
    delete this.#requests.at(-keptAnswers - 1)?.answer;
    if (this.#requests.length >= kept * 2) this.#requests = this.#requests.slice(-kept);
  }

  /** The newest `limit` requests, oldest first. */
  report(limit = 100): RequestReport {
    const requests = limit > 0 ? this.#requests.slice(-Math.min(limit, kept)) : [];
    return {
      counts: { ...this.#counts },
      total: this.#total,
      bytesIn: this.#bytesIn,
      requests: requests.map((request) => ({
        ...request,
        body: mask(request.body),
        ...(request.answer !== undefined && { answer: mask(parsed(request.answer)) }),
      })),
    };
  }

  clear(): void {
    this.changes += 1;
    this.#counts = {};
    this.#total = 0;
    this.#bytesIn = 0;
    this.#requests = [];
  }
}

function parsed(answer: unknown): unknown {
  try {
    return typeof answer === "string" ? JSON.parse(answer) : answer;
  } catch {
    return answer;
  }
}
