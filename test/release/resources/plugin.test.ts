import { describe } from "vitest";
import { companiesOf } from "../../cases";
import { livesInPlugin } from "../../harness/life-in-plugin";

describe.each(companiesOf("lives").map((lives) => ({ lives })))("company $#", ({ lives }) => livesInPlugin(lives));
