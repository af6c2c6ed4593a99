import { expect, test } from "vitest";
import { fieldErrors } from "../../contract/body/field-errors.ts";
import { estimateRequestSchema } from "./estimate.wire.ts";

const problemsOf = (usage: unknown) => {
  const { error } = estimateRequestSchema.safeParse({ plan: "pro", currency: "EUR", usage });
  return error ? fieldErrors(error, "").map(({ pointer, detail }) => `${pointer} ${detail}`) : [];
};

test.each([
  ['{"__proto__":1}', ["/usage/__proto__"]],
  ['{"tokens_issued":2,"__proto__":[]}', ["/usage/__proto__"]],
])("the usage %s is refused: zod would leave __proto__ out of a record", (text, pointers) => {
  const message = "isn’t a known meter: use a built-in meter, or own:NAME for a merchant’s own meter";
  expect(problemsOf(JSON.parse(text))).toEqual(pointers.map((pointer) => `${pointer} ${message}`));
});

test("an estimate without usage is refused", () => expect(problemsOf(undefined)).toEqual(["/usage is missing"]));
