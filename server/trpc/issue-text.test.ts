import { describe, expect, it } from "vitest";
import { z } from "zod";
import { issueMessage, issueText } from "./issue-text.ts";

const issueOf = (schema: z.ZodType, value: unknown) => {
  const [issue] = z.object({ field: schema }).safeParse({ field: value }).error?.issues ?? [];
  if (!issue) throw new Error("the value is valid");
  return issue;
};

describe("texts beside a field (docs/spec/product.md, Invalid requests)", () => {
  it.each([
    [z.string().max(20), "x".repeat(21), "Use at most 20 characters."],
    [z.string().min(3), "x", "Use at least 3 characters."],
    [z.string().trim().min(1), " ", "Fill in this field."],
    [z.int().max(100), 101, "Use at most 100."],
    [z.int().min(1), 0, "Use at least 1."],
    [z.array(z.string()).max(2), ["a", "b", "c"], "Use at most 2 entries."],
    [z.iso.datetime(), "", "Enter a date and a time."],
    [z.iso.date(), "tomorrow", "Enter a date."],
    [z.int(), Number.NaN, "Enter a whole number."],
    [z.int(), 1.5, "Enter a whole number."],
    [z.string(), undefined, "Fill in this field."],
    [z.enum(["a", "b"]), "c", "Choose one of the listed values."],
    [z.string().regex(/^a+$/), "b", "This value can’t be used. Check it, then try again."],
  ])("case %#: shows a plain text instead of Zod’s", (schema, value, text) => {
    expect(issueText(issueOf(schema, value))).toBe(text);
    expect(issueMessage(issueOf(schema, value))).toBe(`field: ${text}`);
  });

  it("keeps our own messages, and names the field of Zod’s messages", () => {
    expect(issueMessage(issueOf(z.string().max(1, "Enter one letter."), "ab"))).toBe("Enter one letter.");
    expect(issueMessage(issueOf(z.iso.date(), ""))).toBe("field: Enter a date.");
  });
});
