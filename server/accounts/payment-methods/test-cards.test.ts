import { expect, test } from "vitest";
import { methodLabel } from "../../kernel/messages/method-label.ts";
import { testCards } from "./test-cards.ts";

test("the label of each test card is translated into German and is unchanged in English", () => {
  for (const { label } of Object.values(testCards)) {
    expect(methodLabel(label, "de-DE")).toMatch(/ mit den Endziffern \d{4}$/);
    expect(methodLabel(label, "en-GB")).toBe(label);
  }
});
