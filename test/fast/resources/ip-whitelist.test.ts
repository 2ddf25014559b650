import { life } from "../../cases/ip-whitelist";
import { inputsOf } from "../../harness/lifecycle";

inputsOf(life);
