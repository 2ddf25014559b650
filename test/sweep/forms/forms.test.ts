import { describe, expect, test } from "vitest";
import * as cases from "../../cases";
import type { Passing } from "../../harness/go-between";
import { inParallel } from "../../harness/parallel";
import { step } from "../../harness/steps";
import { type Course, courseOf, type Installation, type Life } from "./course";
import type { Form } from "./form";
import { listForms } from "./lists";
import { recordForms } from "./records";
import { writeForms } from "./writes";

/**
 * No source shows every answer of the extended API. Each resource lives on installations that answer as the emulator does,
 * but in another form, and must end as it ends on the emulator, step by step. Other readings than forms are switches of
 * the emulator itself: test/fast/resources/readings.test.ts and the tests of each resource turn them.
 */

const emptyGroup: Life = {
  type: "Group",
  args: { name: "nobody", members: [], roles: [] },
  changes: [{ what: "a member", args: { name: "nobody", members: ["104"], roles: [] }, expect: "update" }],
};
/** What others did is not noticed in every form: an answer without a list proves nothing. */
const undisturbed = ({ type, args, changes = [], prepare }: Life): Life => ({
  ...{ type, args, prepare: prepare ?? (() => {}) },
  changes: changes.map(({ after: _, ...change }) => change),
});
const lives: readonly Life[] = [...cases.extendedLives.map(undisturbed), emptyGroup];
const specifiedLives = cases.lives.map(undisturbed);
const forms: readonly Form[] = [...listForms, ...recordForms, ...writeForms];
const meets = ({ types }: Form) => lives.filter(({ type }) => types.includes(type));

/** The emulator's answer where it serves no such path, or not with this method. */
const isUnserved = ({ status, text }: Passing) =>
  status === 405 || (status === 404 && /there is no (\w+ )?\/api/.test(text));
const lacks = (status: number, text: string): Installation => ({
  extended: false,
  answers: () => (passing) => (isUnserved(passing) ? { status, text } : passing.text),
});
/** How an installation may say that it lacks an operation. */
const lacking: readonly (readonly [status: number, text: string])[] = [
  [404, "<html>404 Not Found</html>"],
  [404, "not found"],
  [404, ""],
  [405, '{"error":{"error_code":405,"error_message":"method not allowed"}}'],
  [501, ""],
];

const nameOf = (life: Life, where = "") => `${where}: ${life.type} ${life.args["name"] ?? ""}`;

/** All courses, by name. Most of their time is waiting, so that many go side by side. */
const courses = step("the lives", async () => {
  const found = new Map<string, Omit<Course, "said">>();
  const wanted: (readonly [where: string, life: Life, its: Installation])[] = [
    ...lives.map((life) => ["usual", life, {}] as const),
    ...forms.flatMap((form) => meets(form).map((life) => [form.title, life, form] as const)),
    ...specifiedLives.map((life) => ["without", life, { extended: false }] as const),
    ...lacking.flatMap((way) => specifiedLives.map((life) => [way.join(" "), life, lacks(...way)] as const)),
  ];
  await inParallel(wanted, 16, async ([where, life, its]) => {
    // An installation that lacks something says so in its own way.
    const { said: _, ...course } = await courseOf(life, its);
    found.set(nameOf(life, where), course);
  });
  return found;
});

/** An answer without a list proves nothing, so an import leaves the roles of such a group to the program. */
const provesNoRoles = /^no roles of a group: (?!200 \[\])|^roles of a group (by id|as ids in one text)/;

// On a busy machine the lives take minutes, and all of these wait for them.
describe("the extended API", { timeout: 900_000 }, () => {
  test.each(lives)(
    "$type $args.name: the usual life fails nowhere, loses nothing, sends nothing twice",
    async (life) => {
      for (const [what, { platform: _, ...outcome }] of Object.entries(
        (await courses()).get(nameOf(life, "usual"))!.steps,
      ))
        expect(outcome, what).toEqual({ failures: [], lost: [], sentAgain: [] });
    },
  );

  test.each(forms)("$title: every life is as usual", async (form) => {
    const found = await courses();
    expect(meets(form)).not.toEqual([]);
    for (const life of meets(form)) {
      const { imported, ...rest } = found.get(nameOf(life, "usual"))!;
      const isOpen = life === emptyGroup && provesNoRoles.test(form.title);
      const expected = { ...rest, imported: isOpen ? `${imported}, roles` : imported };
      expect(found.get(nameOf(life, form.title)), life.type).toEqual(expected);
    }
  });

  test.each(lacking)("lacking, with %i %s: all is as the specification allows", async (status, text) => {
    const found = await courses();
    for (const life of specifiedLives)
      expect(found.get(nameOf(life, `${status} ${text}`)), life.type).toEqual(found.get(nameOf(life, "without")));
  });
});

test.each([
  [403, "{}", /\(403\)/],
  [200, "<html>Data Platform</html>", /not JSON/],
])("lacking, with %i %s: a clear error, and nothing is lost from the state", async (status, text, says) => {
  const life = specifiedLives.find(({ type }) => type === "DataStore")!;
  const { steps } = await courseOf(life, lacks(status, text));
  expect(steps["created"]!.failures.join()).toMatch(says);
  expect(Object.values(steps).flatMap(({ lost }) => lost)).toEqual([]);
});
