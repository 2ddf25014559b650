import { describe } from "vitest";
import { livesOnEngine } from "../harness/life-on-engine";
import { companiesOf } from "./cases";

describe.each(companiesOf("lives").map((lives) => ({ lives })))("company $#", ({ lives }) => livesOnEngine(lives));
