import { expect, it } from "vitest";
import { catalogueText } from "./switches/table";

it("SWITCHES.md lists the switches as the catalogue has them", async () => {
  await expect(catalogueText()).toMatchFileSnapshot("./SWITCHES.md");
});
