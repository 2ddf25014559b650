import { inputsOf } from "../harness/lifecycle";
import { life } from "./cases/command";

inputsOf(life);
