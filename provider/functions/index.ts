import type { AnyFunction } from "../core/define-function";
import { getUsers } from "./get-users";
import { submitCommand } from "./submit-command";

/** Every function, in the order in which the documentation lists them. */
export const functions: readonly AnyFunction[] = [submitCommand, getUsers];
