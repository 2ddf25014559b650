import { describe } from "vitest";
import { companiesOf } from "../../cases";
import { livesOnEngine } from "../../harness/lives";

describe.each(companiesOf("extended").map((lives) => ({ lives })))("company $#", ({ lives }) =>
  livesOnEngine(lives, { mode: "plugin", extended: true }),
);
