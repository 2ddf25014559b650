import { PlatformError } from "../api/errors";

/** `fromId` of a resource whose import id is a single number or name, and tells no input. */
export function fromPlainId(kind: string, example: string): (id: string) => Record<string, never> {
  return (id) => {
    if (/^[\w-]+$/.test(id)) return {};
    throw new PlatformError(`${JSON.stringify(id)} is not ${kind}; expected an id such as ${example}`, {
      code: "rejected",
    });
  };
}
