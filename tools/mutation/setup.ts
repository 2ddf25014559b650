/** In the workers of `npm run mutation`: turns a mutant on or, without one, notes which mutants a test file reaches. */
import { Worker } from "node:worker_threads";
import { afterAll, afterEach, beforeAll, inject } from "vitest";

const given = inject("mutation" as never) as { id?: string; hitLimit?: number };
type Coverage = { perTest: Record<string, Record<string, number>> };
// The names are the instrumenter's.
const global = globalThis as { __stryker__?: Record<string, unknown> & { mutantCoverage?: Coverage } };
global.__stryker__ ??= {};
const stryker = global.__stryker__;
// Ends a worker that a mutant keeps busy for ever, which no timer of its own thread could do.
let guard: Worker | undefined;

if (given.id) Object.assign(stryker, { activeMutant: given.id, hitLimit: given.hitLimit, hitCount: 0 });

beforeAll(() => {
  if (stryker.mutantCoverage) stryker.mutantCoverage.perTest = {};
  stryker.currentTestId = "file";
  if (given.id) guard = new Worker("setTimeout(() => process.kill(process.pid, 'SIGKILL'), 400_000)", { eval: true });
});

afterEach(({ task }) => Object.assign(task.file.meta, { hits: stryker.mutantCoverage?.perTest["file"] ?? {} }));

// What is loaded for the next file belongs to no test.
afterAll(() => {
  stryker.currentTestId = undefined;
  return guard?.terminate();
});
