import { readOptions } from "../../../../cli/conform";
import type { OperationName } from "../../../../cli/conform/catalogue";
import { type Examined, examine } from "../../../../cli/conform/examine";
import { type Part, parts } from "../../../../cli/conform/probes";
import type { ConformReport } from "../../../../cli/conform/report";
import type { Examination, Exchange } from "../../../../cli/conform/session";
import type { Targets } from "../../../../cli/conform/targets";
import { StatusLine } from "../../../../cli/terminal/status-line";
import { defaultSeed, type Seed } from "../../../../emulator";
import { readSettings } from "../../../../provider/api/settings";
import type { PlatformAt } from "../../../harness/in-process";

/** What a user names in the command's options. */
const named = (...options: readonly string[]): Targets =>
  readOptions(["--write", "--account=1", ...options.flatMap((line) => line.split(" "))]).targets;

/** What a user who knows nothing of the account passes. */
export const noTargets = named();

/** Everything that the emulator's first account has. */
export const emulatorTargets = named(
  "--object note/501 --overwrite-policy note/502 --overwrite-policy environment/402",
  "--environment 403 --package toolz==0.12.1 --group-role 205/analyst --table sales.orders",
  "--folder notes/703/Users/owner@analytics.example.com/private --user analyst@analytics.example.com",
  "--defloc s3://analytics-logs/default --edit-account",
);

/** The same for the second platform's account. */
export const secondTargets = named(
  "--object note/501 --overwrite-policy note/502 --environment 42 --package toolz==0.12.1",
  "--folder notes/32/Common/archive --group-role 6/auditor --user dirk.disabled@acme.example",
  "--defloc s3://acme-bucket/logs",
);

/** The emulator's own seed, with a partition whose value has a special character. */
export function seedWithSpecialPartition(): Seed {
  const seed = structuredClone(defaultSeed) as Seed;
  const table = seed.accounts[0]!.hiveTables!.find(({ name }) => name === "orders")!;
  table.partitions = [...(table.partitions ?? []), { region: "a:b" }];
  return seed;
}

type Options = Partial<Examination> & { readonly token?: string };

/** Without `write`, reading alone. */
export function examinationOf({ url, tokens }: PlatformAt, { token, ...options }: Options = {}): Examination {
  const settings = readSettings((name) => (name === "baseUrl" ? url : undefined), {
    DATAPLATFORM_API_TOKEN: token ?? tokens["admin"],
    DATAPLATFORM_RETRIES: "1",
  });
  return {
    settings,
    targets: noTargets,
    write: undefined,
    tool: "test",
    progress: new StatusLine({ write: () => undefined }),
    mark: "c0ffee00",
    waitSeconds: 5,
    pauseMs: 20,
    ...options,
  };
}

/** Examines a platform within this process. */
export async function conform(
  platform: PlatformAt,
  options: Options = {},
): Promise<Examined & { readonly exchanges: readonly Exchange[] }> {
  const exchanges: Exchange[] = [];
  const onExchange = (exchange: Exchange) => {
    exchanges.push(exchange);
    options.onExchange?.(exchange);
  };
  const examined = await examine({ ...examinationOf(platform, options), onExchange });
  return { ...examined, exchanges };
}

/** What a report says about one operation. */
export const operationIn = ({ operations }: ConformReport, wanted: OperationName) =>
  operations.find(({ name }) => name === wanted)!;

/** Leaves out every part but these. */
export const writing = (account: number, only: readonly Part[] = parts): Examination["write"] => ({
  account: String(account),
  skip: parts.filter((part) => !only.includes(part)),
});
