import { expect, test } from "vitest";
import { z } from "zod";
import { fieldErrors } from "./field-errors.ts";

const integer = "must be an integer, without a fraction or exponent";
const numbers = z.object({ count: z.int("must be a whole number"), times: z.int().optional() });
const schema = z.strictObject({ name: z.string(), "a/b": numbers });

test.each([
  [{ "a/b": { count: 1 } }, [{ pointer: "/name", detail: "is missing" }]],
  [{ name: 1, "a/b": { count: 1 } }, [{ pointer: "/name", detail: "must be of type string" }]],
  [{ name: "n", "a/b": { count: 1.5 } }, [{ pointer: "/a~1b/count", detail: "must be a whole number" }]],
  [{ name: "n", "a/b": { count: 1, times: 1.5 } }, [{ pointer: "/a~1b/times", detail: integer }]],
  // `parseExactly` returns NaN for a number whose text isn't an integer.
  [{ name: "n", "a/b": { count: 1, times: Number.NaN } }, [{ pointer: "/a~1b/times", detail: integer }]],
  [{ name: "n", "a/b": { count: 1 }, more: 1 }, [{ pointer: "/more", detail: "unknown field" }]],
])("for %j, the error names the field and is plain text", (body, errors) => {
  const { error } = schema.safeParse(body);
  expect(error && fieldErrors(error, "")).toEqual(errors);
});

const kinds = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("card") }),
  z.object({ kind: z.literal("iban") }),
]);

test.each([
  [z.enum(["open", "won"]), "must be one of open, won"],
  [z.literal(["S256", "plain"]), "must be one of S256, plain"],
  [z.literal("S256"), "must be S256"],
  [z.enum(["open", "won"], { error: "must be a state" }), "must be a state"],
])("an enum lists its values unless it has its own message", (value, detail) => {
  const { error } = z.object({ value }).safeParse({ value: "bogus" });
  expect(error && fieldErrors(error, "")).toEqual([{ pointer: "/value", detail }]);
});

test.each([
  [z.string().min(1), "", "must have at least 1 character"],
  [z.string().max(2), "long", "must have at most 2 characters"],
  [z.array(z.string()).min(2), [], "must have at least 2 items"],
  [z.number().max(5), 6, "must be at most 5"],
  [z.number().positive(), 0, "must be more than 0"],
  [z.string().min(1, "must name the shop"), "", "must name the shop"],
])("a limit is described unless it has its own message", (schemaOfValue, value, detail) => {
  const { error } = z.object({ value: schemaOfValue }).safeParse({ value });
  expect(error && fieldErrors(error, "")).toEqual([{ pointer: "/value", detail }]);
});

test("a union lists the values of its discriminator", () => {
  const { error } = kinds.safeParse({ kind: "bogus" });
  expect(error && fieldErrors(error, "")).toEqual([{ pointer: "/kind", detail: "must be one of card, iban" }]);
});

test("a parameter is named exactly as written", () => {
  const { error } = schema.safeParse({ name: "n" });
  expect(error && fieldErrors(error, "#")).toEqual([{ pointer: "#a/b", detail: "is missing" }]);
});
