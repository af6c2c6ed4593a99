import { tidyEmail } from "../../kernel/text/email-address.ts";

export type PasswordProblem = "password_too_short" | "password_too_long" | "password_has_email" | "password_common";

const minPasswordLength = 12;
const maxPasswordLength = 128;

/** A shorter local part, for example `al`, occurs in too many passwords by chance. */
const minLocalPartLength = 4;

/**
 * Whether a new password follows the rules (docs/spec/portal.md, Sign-up). Characters are counted as Unicode code
 * points (NIST SP 800-63B-4 §3.1.1.2). The address is compared without case.
 */
export const newPasswordProblem = (
  password: string,
  { email, isCommon }: { email: string; isCommon: boolean },
): PasswordProblem | null => {
  const text = password.normalize("NFKC");
  const length = [...text].length;
  if (length < minPasswordLength) return "password_too_short";
  if (length > maxPasswordLength) return "password_too_long";
  if (containsAddress(text.toLowerCase(), tidyEmail(email))) return "password_has_email";
  return isCommon || isPredictable(text) ? "password_common" : null;
};

/** A repetition of one or two characters, or the name of the service, perhaps repeated or with digits (§3.1.1.2). */
const isPredictable = (password: string): boolean =>
  /^(.{1,2})\1+.?$/u.test(password) || /^[\W\d]*(?:paygrant[\W\d]*)+$/i.test(password);

const containsAddress = (password: string, email: string): boolean => {
  const [localPart = ""] = email.split("@");
  return (
    (email !== "" && password.includes(email)) ||
    (localPart.length >= minLocalPartLength && password.includes(localPart))
  );
};
