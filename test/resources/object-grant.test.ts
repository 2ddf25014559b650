import { inputsOf } from "../harness/lifecycle";
import { life } from "./cases/object-grant";

inputsOf(life);
