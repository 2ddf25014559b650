import type { ComponentDefinition } from "../core/define-component";
import { teamEnvironment } from "./team-environment";

/** Every component, in documentation order. */
export const components: readonly ComponentDefinition[] = [teamEnvironment];
