import { describe } from "vitest";
import { livesInPlugin } from "../harness/life-in-plugin";
import { companiesOf } from "./cases";

describe.each(companiesOf("lives").map((lives) => ({ lives })))("company $#", ({ lives }) => livesInPlugin(lives));
