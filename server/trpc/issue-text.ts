import type { z } from "zod";

/** Zod's own messages are for developers. For a length or a size, people see this text beside the field. */
export const issueText = (issue: z.core.$ZodIssue): string => {
  if (!/^Too (?:big|small): /.test(issue.message)) return issue.message;
  if (issue.code === "too_big") return `Use at most ${issue.maximum}${unitOf(issue.origin)}.`;
  if (issue.code !== "too_small") return issue.message;
  if (issue.origin === "string" && Number(issue.minimum) === 1) return "Fill in this field.";
  return `Use at least ${issue.minimum}${unitOf(issue.origin)}.`;
};

const unitOf = (origin: string): string => {
  if (origin === "string") return " characters";
  return origin === "array" ? " entries" : "";
};

/** The texts don't name the field, so the field is put in front of them. Our own messages name the field. */
export const issueMessage = (issue: z.core.$ZodIssue): string => {
  const text = issueText(issue);
  const isOurs = text === issue.message && !/^(Invalid|Unrecognized) /.test(text);
  return isOurs || issue.path.length === 0 ? text : `${issue.path.join(".")}: ${text.replace(/\.$/, "")}.`;
};
