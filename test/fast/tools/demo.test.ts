import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { keyMoments, recording } from "../../../tools/demo/recording.mjs";
import { root } from "../../harness/engine";

const read = (path: string): string => readFileSync(join(root, path), "utf8");

describe("the recording", () => {
  test("leaves out progress, set-up and what differs from run to run", () => {
    const lines = [
      "$ pulumi config set --secret dbPasswd hidden",
      "$ pulumi up",
      "Updating (dev):",
      "@ updating....",
      " +  dataplatform:index:Account blue creating (0s) ",
      " +  dataplatform:index:Account blue created (0.44s) warning: Account: said below",
      " ~  dataplatform:index:IpWhitelist list updated (1s) [diff: ~addresses]; said below",
      "    dataplatform:index:TeamEnvironment blue  ",
      "",
      "against http://127.0.0.1:38185",
      "Duration: 45s",
    ];
    expect(keyMoments({ title: "up", lines })).toEqual({
      title: "up",
      lines: [
        "$ pulumi up",
        " +  dataplatform:index:Account blue created",
        " ~  dataplatform:index:IpWhitelist list updated [diff: ~addresses]",
        "against http://127.0.0.1:4010",
      ],
    });
  });

  test("shows one act after the other, wraps long lines, and takes what was printed as text", () => {
    const long = `  warning: ${"word ".repeat(60)}<script>alert(1)</script> & more`;
    const acts = [
      { title: "first", lines: ["+ one"] },
      { title: "second", lines: [long] },
    ];
    const svg = recording(acts, 1);
    expect(svg.match(/<g class="act /g)).toHaveLength(2);
    expect(svg.match(/class="note"/g)!.length).toBeGreaterThan(3);
    expect(svg).toContain("&lt;script&gt;alert(1)&lt;/script&gt; &amp; more");
    expect(svg).not.toContain("<script");
    expect(svg).toContain(".a1{opacity:1}");
  });
});

describe("docs/images", () => {
  test("the recording is of the story that is told now, small, and without anything of a machine", () => {
    const titles = [...read("tools/demo/story.mjs").matchAll(/screen\.heading\("([^"]+)"/g)].map(([, title]) => title!);
    const svg = read("docs/images/demo.svg");
    const [, shown = ""] = /<title>npm run demo: (.*)<\/title>/.exec(svg)!;
    const [start, program, ...acts] = titles;
    expect([start, program]).toEqual([expect.stringContaining("emulator"), expect.stringContaining("examples/")]);
    expect(shown.split("; "), "run npm run pictures").toEqual(acts);
    expect(svg.length).toBeLessThan(60_000);
    expect(svg).not.toMatch(/<script|\bon\w+=|href=|\/tmp|\/home|\/root|\/Users|analytics-admin|only-for-the-demo/);
  });

  test("screenshots are small", () => {
    const sizes = readdirSync(join(root, "docs/images"))
      .filter((name) => name.endsWith(".png"))
      .map((name) => [name, readFileSync(join(root, "docs/images", name)).length] as const);
    expect(sizes.map(([name]) => name)).toEqual(["access.png", "console.png", "drift.png"]);
    expect(sizes.filter(([, size]) => size > 250_000)).toEqual([]);
  });
});

test("the README shows the program that the demo runs", () => {
  expect(read("README.md")).toContain(read("examples/environment/index.ts").trim());
});
