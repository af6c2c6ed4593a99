import { newPasswordProblem, type PasswordProblem } from "../rules/new-password.ts";
import { isCommonPassword } from "./common-passwords.ts";

/** The problem with a new password of an account; null if it may be used. */
export const checkNewPassword = async (password: string, email: string): Promise<PasswordProblem | null> =>
  newPasswordProblem(password, { email, isCommon: await isCommonPassword(password) });
