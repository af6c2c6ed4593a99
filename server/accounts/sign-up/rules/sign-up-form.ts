import { isDisplayName, tidyName } from "../../../kernel/text/display-name.ts";
import { isEmailAddress, tidyEmail } from "../../../kernel/text/email-address.ts";
import { newPasswordProblem, type PasswordProblem } from "../../rules/new-password.ts";

type SignUpMethod = "passkey" | "password";

/** The values in the form's format. */
export type SignUpFields = { name: string; email: string; method: SignUpMethod; password: string };

/** The code of the problem by field. The pages have a text for each code. */
export type SignUpProblems = {
  name?: "name_missing" | "name_invalid";
  email?: "email_invalid" | "email_not_invited";
  password?: PasswordProblem;
};

/**
 * @param isCommon whether the password is one of the most common ones. @param invited the only allowed address, if any.
 */
export const signUpProblems = (
  { name, email, method, password }: SignUpFields,
  { isCommon, invited }: { isCommon: boolean; invited: string | null },
): SignUpProblems => {
  const problems: SignUpProblems = {};
  const displayName = tidyName(name);
  const address = tidyEmail(email);
  if (displayName === "") problems.name = "name_missing";
  else if (!isDisplayName(displayName)) problems.name = "name_invalid";
  if (!isEmailAddress(address)) problems.email = "email_invalid";
  else if (invited !== null && invited !== address) problems.email = "email_not_invited";
  if (method === "password") {
    const problem = newPasswordProblem(password, { email: address, isCommon });
    if (problem) problems.password = problem;
  }
  return problems;
};
