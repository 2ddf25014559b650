import { life } from "../../cases/whitelisted-ip";
import { inputsOf } from "../../harness/lifecycle";

inputsOf(life);
