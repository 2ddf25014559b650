import { life } from "../../cases/group-roles";
import { inputsOf } from "../../harness/lifecycle";

inputsOf(life);
