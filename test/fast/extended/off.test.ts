import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { requestsOfLongProgram } from "./long-program";

/** Recorded before the provider knew any of these operations, less the pages that no list announces. It never changes with them. */
const recorded = join(__dirname, "requests-without.json");

test.each([false, true])(
  "without dataplatform:extendedApi the requests are those of before, on a platform with them: %s",
  async (extended) => {
    const requests = await requestsOfLongProgram({ extended });
    expect(requests).toEqual(JSON.parse(readFileSync(recorded, "utf8")));
    expect(requests.length).toBeGreaterThan(60);
  },
);
