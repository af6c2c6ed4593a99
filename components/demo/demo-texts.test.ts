import { expect, test } from "vitest";
import { stepText } from "./demo-texts.ts";

test("the demo names the demo payer only if there is demo data", () => {
  expect(stepText("decide", { hasDemoPayer: true }).text).toContain("sign in as the demo payer");
  expect(stepText("decide", { hasDemoPayer: false }).text).toContain("sign in or create an account");
});
