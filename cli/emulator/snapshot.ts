import { parseArgs } from "node:util";
import { oneOf, UsageError, wrongValue } from "../errors";
import { printable } from "../terminal/style";

const actions = ["save", "load", "list", "delete"] as const;

/** `dataplatform emulator snapshot …`, against the control API of a running emulator. */
export async function runSnapshot(args: string[]): Promise<number> {
  const { action, name = "", url } = readOptions(args);
  const path = `snapshots/${encodeURIComponent(name)}`;
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  if (action === "save") {
    const { replaced } = await control(url, "PUT", path);
    say(`${replaced === true ? "replaced" : "saved"} snapshot ${name}`);
  } else if (action === "load") {
    await control(url, "POST", `${path}/load`);
    say(`loaded snapshot ${name}`);
  } else if (action === "delete") {
    await control(url, "DELETE", path);
    say(`deleted snapshot ${name}`);
  } else {
    const { snapshots } = await control(url, "GET", "snapshots");
    for (const one of snapshots as { name: string; savedAt: string }[])
      say(printable(`${one.name.padEnd(24)} ${one.savedAt}`));
  }
  return 0;
}

function readOptions(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { url: { type: "string", default: "http://127.0.0.1:4010" } },
  });
  const [given = "", name, ...more] = positionals;
  const action = oneOf("the action of snapshot", given, actions);
  if (more.length > 0 || (action === "list") !== (name === undefined))
    throw new UsageError(action === "list" ? "snapshot list takes no name" : `snapshot ${action} needs one name`);
  if (!URL.canParse(values.url) || !/^https?:$/.test(new URL(values.url).protocol))
    throw wrongValue("--url", values.url, "the address that the emulator printed");
  return { action, name, url: values.url.replace(/\/+$/, "") };
}

async function control(url: string, method: string, path: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/_emulator/${path}`, { method }).catch(() => {
    throw new Error(`no emulator answers at ${url}; start one with "dataplatform emulator", or name it with --url`);
  });
  const answer = (await response.json().catch(() => undefined)) as
    | { readonly error?: { readonly error_message?: string } }
    | undefined;
  if (response.ok && answer) return answer as Record<string, unknown>;
  const reason = answer?.error?.error_message ?? `status ${response.status}; is this an emulator?`;
  throw new Error(`the emulator at ${url} refused: ${printable(reason)}`);
}
