import { describe } from "vitest";
import { companiesOf } from "../../cases";
import { livesOnEngine } from "../../harness/life-on-engine";

describe.each(companiesOf("lives").map((lives) => ({ lives })))("company $#", ({ lives }) => livesOnEngine(lives));
