import { inputsOf } from "../harness/lifecycle";
import { life } from "./cases/group-roles";

inputsOf(life);
