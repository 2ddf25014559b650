import { life } from "../../cases/command";
import { inputsOf } from "../../harness/lifecycle";

inputsOf(life);
