import type { z } from "zod";
import type { FieldError } from "../../kernel/errors.ts";

/** @param base start of every pointer: `#` for a parameter's name, otherwise the value's position in the body. */
export const fieldErrors = ({ issues }: z.ZodError, base: string): FieldError[] =>
  issues.flatMap((issue) => toFieldErrors(issue, base));

const toFieldErrors = (issue: z.core.$ZodIssue, base: string): FieldError[] => {
  const detail = detailOf(issue).replace(/["\\]/g, "'");
  const at = (path: readonly PropertyKey[]) =>
    base === "#"
      ? `#${path.map(String).join("/")}`
      : base + path.map((part) => `/${escapePointer(String(part))}`).join("");
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ pointer: at([...issue.path, key]), detail: "unknown field" }));
  }
  return [{ pointer: at(issue.path), detail }];
};

/** Zod's own messages are written for programmers. A schema's own message is kept. */
const detailOf = (issue: z.core.$ZodIssue): string => {
  if (issue.code === "invalid_value" && /^Invalid (option|input): expected /.test(issue.message)) {
    return allowed(issue.values);
  }
  if (
    issue.code === "invalid_union" &&
    "options" in issue &&
    issue.options &&
    issue.message.startsWith("Invalid discriminator value")
  ) {
    return allowed(issue.options);
  }
  if (issue.code !== "invalid_type" || !issue.message.startsWith("Invalid input: ")) return issue.message;
  // `parseExactly` returns NaN for a number whose text isn't an integer.
  if (issue.expected === "int" || issue.message.endsWith("received NaN")) {
    return "must be an integer, without a fraction or exponent";
  }
  return issue.message.endsWith("received undefined") ? "is missing" : `must be of type ${issue.expected}`;
};

const allowed = (values: readonly unknown[]): string =>
  values.length === 1 ? `must be ${String(values[0])}` : `must be one of ${values.map(String).join(", ")}`;

/** RFC 6901 §3. */
export const escapePointer = (part: string): string => part.replaceAll("~", "~0").replaceAll("/", "~1");
