import { describe } from "vitest";
import { livesWithExtendedApi } from "../harness/life-extended";
import { companiesOf } from "./cases";

describe.each(companiesOf("extended").map((lives) => ({ lives })))("company $#", ({ lives }) =>
  livesWithExtendedApi(lives, "plugin"),
);
