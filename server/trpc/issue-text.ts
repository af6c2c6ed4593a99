import type { z } from "zod";

/** Zod's own messages are for developers, and begin with one of these words. Our own messages don't. */
const isOfZod = ({ message }: z.core.$ZodIssue): boolean =>
  /^(?:Invalid |Too (?:big|small): |Unrecognized )/.test(message);

/** What people see beside the field: our own message, or a plain text instead of Zod's. */
export const issueText = (issue: z.core.$ZodIssue): string => {
  if (!isOfZod(issue)) return issue.message;
  switch (issue.code) {
    case "too_big":
      return `Use at most ${issue.maximum}${unitOf(issue.origin)}.`;
    case "too_small":
      if (issue.origin === "string" && Number(issue.minimum) === 1) return "Fill in this field.";
      return `Use at least ${issue.minimum}${unitOf(issue.origin)}.`;
    case "invalid_type":
      return typeText(issue);
    case "invalid_format":
      return formatTexts[issue.format] ?? otherText;
    case "invalid_value":
      return "Choose one of the listed values.";
    default:
      return otherText;
  }
};

const otherText = "This value can’t be used. Check it, then try again.";

const unitOf = (origin: string): string => {
  if (origin === "string") return " characters";
  return origin === "array" ? " entries" : "";
};

const typeText = ({ expected, message }: z.core.$ZodIssueInvalidType): string => {
  if (message.endsWith("received undefined")) return "Fill in this field.";
  return expected === "int" || expected === "number" ? "Enter a whole number." : otherText;
};

const formatTexts: Readonly<Record<string, string>> = {
  datetime: "Enter a date and a time.",
  date: "Enter a date.",
  email: "Enter an e-mail address, like name@example.com.",
  url: "Enter a web address, like https://example.com.",
};

/** The texts for Zod's messages don't name the field, so its name is put in front. Our own messages stay unchanged. */
export const issueMessage = (issue: z.core.$ZodIssue): string => {
  const text = issueText(issue);
  return isOfZod(issue) && issue.path.length > 0 ? `${issue.path.join(".")}: ${text}` : text;
};
