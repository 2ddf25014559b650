import { expect, test } from "vitest";
import { anyAnswer } from "../../../provider/api/answer";
import { Client } from "../../../provider/api/client";
import { operations } from "../../../provider/api/operations";
import { readSettings } from "../../../provider/api/settings";
import { ScriptedServer } from "../../harness/scripted-server";
import { shared } from "../../harness/shared";

const server = shared(() => ScriptedServer.start());

test("a cancelled caller stops waiting for its turn, and was never sent", async () => {
  server.script({});
  const settings = readSettings((name) => (name === "baseUrl" ? server.url : undefined), {
    DATAPLATFORM_API_TOKEN: "token",
    DATAPLATFORM_REQUESTS_PER_SECOND: "0.001",
  });
  const client = new Client(settings);
  await client.call(operations.listUsers, { answer: anyAnswer });
  const abort = new AbortController();
  const waiting = client.withSignal(abort.signal).call(operations.enableUser, { body: {}, answer: anyAnswer });
  setTimeout(() => abort.abort(), 20);
  await expect(waiting).rejects.toMatchObject({ code: "cancelled", outcome: "not-sent" });
  expect(server.received).toHaveLength(1);
  await client.close();
});
