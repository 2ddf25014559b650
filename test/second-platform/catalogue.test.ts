import { expect, it } from "vitest";
import { catalogueTable } from "./switches/table";

it("SWITCHES.md lists the switches as the catalogue has them", async () => {
  await expect(`# Switches of the second platform\n\n${catalogueTable()}\n`).toMatchFileSnapshot("./SWITCHES.md");
});
