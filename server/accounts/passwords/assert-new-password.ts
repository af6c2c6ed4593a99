import { DomainError } from "../../kernel/errors.ts";
import { checkNewPassword } from "./check-new-password.ts";

const details = {
  password_too_short: "Use at least 12 characters.",
  password_too_long: "Use at most 128 characters.",
  password_has_email: "Choose a password that doesn’t contain your e-mail address.",
  password_common: "This password is one of the most common ones. Choose another.",
} as const;

/** @throws DomainError with the code of the broken rule, at the field `/password`. */
export const assertNewPassword = async (password: string, email: string): Promise<void> => {
  const problem = await checkNewPassword(password, email);
  if (problem === null) return;
  const message = details[problem];
  throw new DomainError("unprocessable", {
    code: problem,
    message,
    errors: [{ pointer: "/password", detail: message }],
  });
};
