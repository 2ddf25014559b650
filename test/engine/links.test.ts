import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../harness/engine";

const lines = (command: string, ...args: string[]): string[] =>
  execFileSync(command, args, { cwd: root, encoding: "utf8" }).trim().split("\n");

const tracked = lines("git", "ls-files", "--cached", "--others", "--exclude-standard").filter((path) =>
  existsSync(join(root, path)),
);
const [{ files, unpackedSize }] = JSON.parse(
  lines("npm", "pack", "--dry-run", "--json", "--ignore-scripts").join("\n"),
) as [{ files: { path: string }[]; unpackedSize: number }];
const packed = files.map(({ path }) => path);

const textOf = (path: string): string => readFileSync(join(root, path), "utf8");

/** Without code, where brackets are not links and # is not a heading. */
const prose = (text: string): string => text.replace(/^( *)(```|~~~)[\s\S]*?^\1\2/gm, "").replace(/^ {4,}.*$/gm, "");

interface Link {
  readonly target: string;
  readonly anchor: string | undefined;
}

function linksIn(path: string): Link[] {
  const text = prose(textOf(path)).replace(/`[^`\n]*`/g, "code");
  const targets = [...text.matchAll(/\]\(([^()\s]+)\)|\bhref="([^"]+)"/g)].map(([, first, second]) => first ?? second!);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = "", anchor] = target.split("#");
      return { target: file === "" ? path : posix.join(posix.dirname(path), file), anchor };
    });
}

/** The names that a repository's web page and editors give to headings. */
function anchorsOf(path: string): Set<string> {
  const seen = new Map<string, number>();
  const names = [...prose(textOf(path)).matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading]) => {
    const words = heading!.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const name = words.replace(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-");
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return count === 0 ? name : `${name}-${count}`;
  });
  return new Set(names);
}

/** Links of these pages that lead to nothing among these files. */
function dead(pages: readonly string[], files: readonly string[]): string[] {
  const folders = new Set(files.flatMap(foldersOf));
  return pages.flatMap((page) =>
    linksIn(page)
      .filter(({ target, anchor }) => {
        const path = target.replace(/\/$/, "");
        if (folders.has(path)) return anchor !== undefined;
        return !files.includes(path) || (anchor !== undefined && !anchorsOf(path).has(anchor));
      })
      .map(({ target, anchor }) => `${page}: ${target}${anchor === undefined ? "" : `#${anchor}`}`),
  );
}

function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === "." ? [] : [folder, ...foldersOf(folder)];
}

const isPage = (path: string): boolean => path.endsWith(".md");

describe("links lead somewhere", () => {
  test("in the npm package, where neither the examples nor the tests are", () => {
    const pages = packed.filter(isPage);
    expect(pages.length).toBeGreaterThan(30);
    expect(pages.flatMap(linksIn).length).toBeGreaterThan(80);
    // Pictures are for readers of the repository; their texts say what they show.
    expect(dead(pages, packed).filter((link) => !link.includes(": docs/images/"))).toEqual([]);
    expect(packed.filter((path) => path.startsWith("docs/images/"))).toEqual([]);
  });

  test("in the repository", () => {
    expect(dead(tracked.filter(isPage), tracked)).toEqual([]);
  });

  // The template's pages have ${PROJECT} in them, and code may name what pulumi makes.
  test("and paths of the repository that pages name in code are there", () => {
    const pages = tracked.filter(isPage).filter((page) => page.startsWith("docs/") || !page.includes("/"));
    const named = pages.flatMap((page) =>
      [
        ...prose(textOf(page)).matchAll(
          /`((?:examples|docs|test|tools|provider|sdk|emulator|cli|policies)\/[\w./-]+)`/g,
        ),
      ].map(([, path]) => `${page}: ${path!.replace(/\/$/, "")}`),
    );
    expect(named.length).toBeGreaterThan(20);
    const there = new Set([...tracked, ...tracked.flatMap(foldersOf)]);
    expect(named.filter((entry) => !there.has(entry.split(": ")[1]!))).toEqual([]);
  });
});

test("the package holds what users need, and nothing that is for contributors", () => {
  for (const needed of [
    ...["dist/sdk/index.js", "dist/sdk/index.d.ts", "dist/provider/dynamic.js", "dist/provider/plugin/main.js"],
    ...["dist/plugin/pulumi-resource-dataplatform", "dist/plugin/pulumi-resource-dataplatform.cmd"],
    ...["sdk/schema.json", "sdk/environment.schema.json", "dist/cli/main.js", "dist/emulator/console.html"],
    ...["dist/policies/main.js", "dist/policies/index.d.ts", "dist/policies/policy-pack/PulumiPolicy.yaml"],
    ...["dist/policies/policy-pack/index.js", "docs/policies/whole-internet.md", "LICENSE", "README.md", "llms.txt"],
  ])
    expect(packed).toContain(needed);
  const contributors =
    /^\.|CONTRIBUTING|SECURITY|CODE_OF_CONDUCT|AGENTS|ARCHITECTURE|^(release|test|tools|examples)\/|dist\/tools|^dist\/(cli|provider\/\w+)\/.*\.d\.ts$|\.map$|tsbuildinfo|^provider\/.*\.ts$/;
  expect(packed.filter((path) => contributors.test(path))).toEqual([]);
  expect(unpackedSize).toBeLessThan(3_500_000);
});
