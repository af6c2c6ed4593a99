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
  if (issue.code === "too_small" && issue.message.startsWith("Too small: "))
    return bound(issue.inclusive === false ? "more than" : "at least", issue.minimum, issue.origin);
  if (issue.code === "too_big" && issue.message.startsWith("Too big: "))
    return bound(issue.inclusive === false ? "less than" : "at most", issue.maximum, issue.origin);
  if (issue.code !== "invalid_type" || !issue.message.startsWith("Invalid input: ")) return issue.message;
  // `parseExactly` returns NaN for a number whose text isn't an integer.
  if (issue.expected === "int" || issue.message.endsWith("received NaN")) {
    return "must be an integer, without a fraction or exponent";
  }
  return issue.message.endsWith("received undefined") ? "is missing" : `must be of type ${issue.expected}`;
};

const units: Readonly<Record<string, string>> = { string: "characters", array: "items", file: "bytes" };

/** `must have at least 2 characters`, or `must be at least 2` for a number. */
const bound = (words: string, value: number | bigint, origin: string): string => {
  const unit = units[origin];
  return unit === undefined
    ? `must be ${words} ${value}`
    : `must have ${words} ${value} ${Number(value) === 1 ? unit.slice(0, -1) : unit}`;
};

const allowed = (values: readonly unknown[]): string =>
  values.length === 1 ? `must be ${String(values[0])}` : `must be one of ${values.map(String).join(", ")}`;

/** RFC 6901 §3. */
export const escapePointer = (part: string): string => part.replaceAll("~", "~0").replaceAll("/", "~1");
