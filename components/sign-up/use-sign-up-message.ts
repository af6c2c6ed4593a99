"use client";
import { useTranslations } from "use-intl";

const problems = [
  "name_missing",
  "name_invalid",
  "email_invalid",
  "email_not_invited",
  "password_too_short",
  "password_too_long",
  "password_has_email",
  "password_common",
] as const;
type Problem = (typeof problems)[number];

const others = {
  too_many_attempts: "tooManyAttempts",
  too_many_requests: "tooManyAttempts",
  sign_up_gone: "gone",
  sign_up_invite_only: "inviteOnly",
  sign_up_closed: "closed",
  code_wrong: "codeWrong",
  code_expired: "codeExpired",
  too_many_codes: "tooManyCodes",
  unreachable: "unreachable",
} as const;

const isProblem = (code: string): code is Problem => problems.some((problem) => problem === code);
const isOther = (code: string): code is keyof typeof others => Object.hasOwn(others, code);

/** Returns a function that returns the message for an error code. */
export const useSignUpMessage = (): ((code: string) => string) => {
  const t = useTranslations("sign-up");
  return (code) => {
    if (isProblem(code)) return t(`problems.${code}`);
    return t(isOther(code) ? others[code] : "failed");
  };
};
