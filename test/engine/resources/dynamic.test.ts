import { describe } from "vitest";
import { companiesOf } from "../../cases";
import { livesOnEngine } from "../../harness/lives";

describe.each(companiesOf("lives").map((lives) => ({ lives })))("company $#", ({ lives }) =>
  livesOnEngine(lives, { mode: "dynamic", extended: false }),
);
