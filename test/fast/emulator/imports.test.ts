import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

test("the emulator imports nothing but itself, node: and zod", () => {
  const folder = join(__dirname, "../../../emulator");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  expect(files.length).toBeGreaterThan(20);
  for (const name of files) {
    const text = readFileSync(join(folder, name), "utf8");
    for (const [, from = ""] of text.matchAll(/(?:\bfrom |\bimport |\bimport\(|\brequire\()"([^"]+)"/g)) {
      const inside = from.startsWith(".") && !join(name, "..", from).startsWith("..");
      expect(inside || from.startsWith("node:") || from === "zod", `${name} imports ${from}`).toBe(true);
    }
  }
});
