import { inputsOf } from "../harness/lifecycle";
import { life } from "./cases/whitelisted-ip";

inputsOf(life);
