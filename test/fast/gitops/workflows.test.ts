import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const example = join(__dirname, "../../../examples/gitops");
const folder = join(example, ".github/workflows");
const workflows = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")] as const);
const setup = readFileSync(join(example, ".github/actions/setup/action.yml"), "utf8");

test.each([...workflows, ["setup", setup] as const])("%s pins its actions by commit", (_name, text) => {
  const used = [...text.matchAll(/uses: (\S+)(.*)/g)].filter(([, what]) => !what!.startsWith("./"));
  expect(used.length).toBeGreaterThan(0);
  for (const [, what, version] of used) {
    expect(what).toMatch(/@[0-9a-f]{40}$/);
    expect(version).toMatch(/^ # v\d+\.\d+\.\d+$/);
  }
});

test.each(workflows)(
  "%s asks for minimal permissions, keeps no credentials, and only runs the command",
  (_name, text) => {
    expect(text).toMatch(/^permissions: \{\}$/m);
    expect(text).not.toMatch(/pull_request_target|write-all/);
    expect(text.match(/persist-credentials: false/g)).toHaveLength(text.match(/actions\/checkout@/g)!.length);
    const runs = [...text.matchAll(/- run: (.*)/g)].map(([, command]) => command);
    expect(
      runs.every((command) => /^npx --no-install dataplatform pipeline \w+ (dev|prod|"\$STACK")$/.test(command!)),
    ).toBe(true);
    // Values reach the shell as variables, never as script text.
    expect(runs.join()).not.toContain("${{");
  },
);

test("GitLab runs the same steps", () => {
  const text = readFileSync(join(example, ".gitlab-ci.yml"), "utf8");
  for (const step of ["preview", "apply", "drift", "repair"])
    expect(text).toContain(`npx --no-install dataplatform pipeline ${step} "$STACK"`);
});
