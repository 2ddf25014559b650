import type { Emulator } from "../../../emulator";
import { mixedFaults } from "./faults";
import { type Mismatch, Model, type Sizes } from "./model";
import { Random } from "./random";
import type { Driver, Failure } from "./small-engine";
import { observe } from "./world";

export interface RunOptions {
  readonly seed: number;
  readonly sizes: Sizes;
  readonly steps: number;
  readonly share?: number;
  /** With the extended API. */
  readonly extended?: boolean;
}

/** The parameters and results of a random run. */
export interface RunReport {
  readonly seed: number;
  readonly steps: number;
  readonly resources: number;
  operations: number;
  faults: number;
  ups: number;
  /** Errors that the user saw, after all of the provider's retries; the next `up` continued from there. */
  failures: number;
  /** Creates with a reported unknown outcome, and how many of them really exist twice. */
  announced: number;
  repeated: number;
  differences: (Mismatch & { readonly step: string })[];
  /** Errors that no `up` resolved. */
  stuck: Failure[];
}

/** Random programs under faults. The platform must match the model after every step, a fault-free `up` and a destroy. */
export async function randomRun(driver: Driver, emulator: Emulator, options: RunOptions): Promise<RunReport> {
  const { seed, sizes, steps, share = 0.05, extended = false } = options;
  const model = new Model(new Random(seed), sizes, observe(emulator), { extended });
  const resources = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  const report: RunReport = {
    ...{ seed, steps, resources, operations: 0, faults: 0, ups: 0, failures: 0, announced: 0, repeated: 0 },
    differences: [],
    stuck: [],
  };
  const round = async (step: string): Promise<void> => {
    report.stuck.push(...(await converge(driver, model, report)));
    report.differences.push(...model.mismatches(observe(emulator)).map((mismatch) => ({ ...mismatch, step })));
  };
  const withFaults = (number: number): void => emulator.setFaults(mixedFaults(seed * 1000 + number, share));
  emulator.clearRequests();
  for (let step = 1; step <= steps; step++) {
    withFaults(step);
    model.step();
    await round(`step ${step}`);
  }
  emulator.clearFaults();
  await round("fault-free up");
  withFaults(steps + 1);
  model.empty();
  await round("removal of everything");
  emulator.clearFaults();
  const { total, requests } = emulator.requests(5000);
  report.operations = total;
  report.faults = requests.filter(({ fault }) => fault).length;
  report.repeated = model.repetitions(observe(emulator));
  return report;
}

/** Runs `up` until nothing fails, following the errors' advice. Returns the remaining failures. */
async function converge(driver: Driver, model: Model, report: RunReport): Promise<Failure[]> {
  let failures: Failure[] = [];
  for (let attempt = 0; attempt <= 8; attempt++) {
    report.ups += 1;
    failures = await driver.up(model.program);
    if (failures.length === 0) return [];
    report.failures += failures.length;
    for (const { name, message } of failures) {
      if (/its outcome is unknown|[Bb]efore you run this again/.test(message) && model.announce(name))
        report.announced += 1;
      if (message.includes("is already whitelisted")) model.amend(name, { adopt: true });
    }
  }
  return failures;
}
