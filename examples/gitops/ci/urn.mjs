/** Takes URNs apart: `urn:pulumi:<stack>::<project>::<parent's type>$<type>::<name>`. */

/** The name may itself contain `::`. @param {string} urn */
export function urnParts(urn) {
  const [, , types = "", ...name] = urn.split("::");
  const type = types.split("$").at(-1) ?? "";
  return { type, kind: type.split(":").at(-1) ?? "", name: name.join("::") };
}

/** Kind and name; what is not a URN stays as it is. @param {string} urn */
export function shortName(urn) {
  const { type, kind, name } = urnParts(urn);
  return type === "" ? urn : `${kind} ${name}`;
}
