import { folders, type PolicyFolder } from "../../provider/platform/policies/folders";
import { objects, type PolicySource } from "../../provider/platform/policies/objects";
import { type UsageError, wrongValue } from "../errors";

interface NamedObject extends PolicySource {
  readonly sourceId: string;
}

/** `note/501`: an object in an option, as import ids name it. */
export function objectIn(option: string, text: string, id = text): NamedObject {
  const found = objects.inputsIn(id);
  if (!found) throw wrong(option, text, "TYPE/ID", objects.example, objects.types(true));
  return { ...found, sourceId: String(found.sourceId) };
}

/** `notes/Common/reports`: a folder in an option. */
export function folderIn(option: string, text: string): PolicyFolder {
  const found = folders.inputsIn(text);
  if (!found) throw wrong(option, text, "TYPE/LOCATION", folders.example, folders.types(true));
  return found;
}

function wrong(option: string, text: string, form: string, example: string, types: readonly string[]): UsageError {
  return wrongValue(option, text, `${form}, such as ${example}, where TYPE is one of ${types.join(", ")}`);
}
