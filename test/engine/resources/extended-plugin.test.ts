import { describe } from "vitest";
import { companiesOf } from "../../cases";
import { livesWithExtendedApi } from "../../harness/life-extended";

describe.each(companiesOf("extended").map((lives) => ({ lives })))("company $#", ({ lives }) =>
  livesWithExtendedApi(lives, "plugin"),
);
