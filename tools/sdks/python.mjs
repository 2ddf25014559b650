/** What Pulumi's generator for Python cannot say: that a function is not run at preview, so that its result is unknown there. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ToolError } from "../lib/say.mjs";

/**
 * Neither the engine nor Pulumi's Python SDK takes an unknown value from a function: the answer at preview is empty, and
 * every property would be None. And where an argument is unknown, Pulumi's SDK forgets what the result depends on, which
 * violates a plan. `Output.all` adds it, and that an argument is secret; a function in `apply` may return UNKNOWN.
 */
const helpers = `

def unknown_at_preview(
    output: pulumi.Output[typing.Any],
    args: typing.Mapping[str, typing.Any],
    opts: pulumi.InvokeOutputOptions,
) -> pulumi.Output[typing.Any]:
    """The result of a function that is not run at preview: unknown there."""
    if not pulumi.runtime.is_dry_run():
        return output

    def urns(resources: typing.Any) -> pulumi.Output[typing.Any]:
        return pulumi.Output.all(*[one.urn for one in (resources if isinstance(resources, list) else [resources])])

    before = pulumi.Output.from_input(opts.depends_on or []).apply(urns)
    return pulumi.Output.all(output, args, before).apply(lambda _: pulumi.UNKNOWN)


def say_none_at_preview(name: str) -> None:
    """The plain form returns at once, so that it has nothing to return at preview."""
    if pulumi.runtime.is_dry_run():
        pulumi.log.info(
            f"{name} is not run at preview: here every property of its result is None; those of {name}_output are unknown"
        )
`;

/** @typedef {{ functions: Record<string, { language?: { python?: { unknownAtPreview?: boolean } } }> }} Schema */

/** Changes the generated SDK in the folder, which holds `pulumi_dataplatform`. @param {string} folder @param {Schema} schema */
export function addUnknowns(folder, schema) {
  const inPackage = join(folder, "pulumi_dataplatform");
  const marked = Object.entries(schema.functions).filter(([, { language }]) => language?.python?.unknownAtPreview);
  for (const [token] of marked) {
    const name = token.slice(token.lastIndexOf(":") + 1);
    const inPython = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}Result`;
    edit(join(inPackage, `${inPython}.py`), (text) => {
      const applied = `.apply(lambda __response__: ${type}(`;
      const output = replaceOne(
        text,
        `return __ret__${applied}`,
        `return _utilities.unknown_at_preview(__ret__, __args__, opts)${applied}`,
      );
      const plain = `    return Awaitable${type}(`;
      return replaceOne(output, plain, `    _utilities.say_none_at_preview('${inPython}')\n${plain}`);
    });
  }
  edit(join(inPackage, "_utilities.py"), (text) => `${text.trimEnd()}\n${helpers}`);
}

/** @param {string} file @param {(text: string) => string} change */
function edit(file, change) {
  writeFileSync(file, change(readFileSync(file, "utf8")));
}

/** @param {string} text @param {string} old @param {string} replacement */
function replaceOne(text, old, replacement) {
  const parts = text.split(old);
  if (parts.length !== 2)
    throw new ToolError("SDKS_FAILED", `the Python SDK is not as expected: no single "${old.trim()}"`);
  return parts.join(replacement);
}
