import { cpSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect } from "vitest";
import { sharedEmulator } from "../../harness/emulators";
import { listen } from "../../harness/http";
import { story } from "../../harness/stacks";
import { hiding, sharedTeam, unchanged } from "../../harness/team";

/* What git, the engine and its key services read in another way than the judgement does. test/fast/pipeline has the rest. */

const emulator = sharedEmulator();
const team = sharedTeam(emulator);
const chapter = story();

chapter("a change that names another key service has no request sent there, signed by the job that seals", async () => {
  const honest = join(team.folder, "honest-preview");
  team.propose("honest-secrets", unchanged, { "index.ts": hiding });
  await team.preview("honest-secrets", {
    between: ({ previewed }) => previewed && cpSync(previewed, honest, { recursive: true }),
  });
  expect(readFileSync(join(honest, "plan.json"), "utf8")).toContain("ciphertext");

  let [isSealing, requests] = [false, 0];
  const service = createServer((_, response) => {
    if (isSealing) requests++;
    response.writeHead(400).end("{}");
  });
  const address = await listen(service);
  const encryption = `secretsprovider: awskms://alias/x?region=eu-central-1&awssdk=v2&endpoint=${address}\nencryptedkey: AAAA`;
  team.propose("service", (config) => config.replace(/^secretsprovider:.*\nencryptedkey:.*$/m, encryption), {
    "index.ts": hiding,
  });
  const preview = await team.preview("service", {
    env: { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "key" },
    between: ({ previewed }) => {
      if (!previewed) return;
      cpSync(honest, previewed, { recursive: true });
      isSealing = true;
    },
  });
  service.close();
  expect(preview.code).toBe(1);
  expect(preview.report).toContain("- not decrypted: the change sets another encryption");
  expect(preview.report).toContain("needs approval");
  expect(requests).toBe(0);
});

chapter("a comment that is none for the engine, and a file that is another one on the disk, are refused", async () => {
  const hidden = `# a note\u2028  dataplatform:baseUrl: https://evil.example.com\n`;
  team.propose("separator", (config) => `${config}${hidden}`);
  const separator = await team.preview("separator");
  expect(separator.code).toBe(1);
  expect(separator.report).toMatch(/- not verifiable: Pulumi\.dev\.yaml cannot be read: line \d+ has a character/);

  team.propose("attribute", (config) => `# $Id$\n${config}`, { ".gitattributes": "*.yaml ident\n" });
  const attribute = await team.preview("attribute");
  expect(attribute.code).toBe(1);
  expect(attribute.stdout).toContain("other on disk: Pulumi.dev.yaml is not what its commit holds");
  team.merge("attribute");
  const applied = await team.preview("main");
  expect(applied.code).toBe(1);
  expect(applied.report).toContain("other on disk: Pulumi.dev.yaml");
});
