import { life } from "../../cases/object-grant";
import { inputsOf } from "../../harness/lifecycle";

inputsOf(life);
