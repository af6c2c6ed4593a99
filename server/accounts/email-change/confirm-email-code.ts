import { takeEmailChangeTry } from "../../data/accounts/email-changes.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { isMailedCode } from "../mailed-code.ts";
import { completeEmailChange, emailChangeGone } from "./complete-email-change.ts";

/**
 * Completes a change of e-mail address with the code that was sent to the new address. A code has 5 tries, counted
 * before the comparison.
 * @throws DomainError email_code_wrong, email_change_gone, email_taken.
 */
export const confirmEmailCode = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { accountId, code, requestId }: { accountId: string; code: string; requestId: string },
): Promise<{ email: string }> => {
  const change = await takeEmailChangeTry(deps.db.sql, accountId, deps.clock.now());
  if (change === null) throw emailChangeGone();
  if (!isMailedCode(deps.config.masterKey, { purpose: "email_change_code", ...change }, code)) {
    const message = "This code is wrong. Check the newest e-mail, then try again.";
    throw new DomainError("unprocessable", {
      code: "email_code_wrong",
      message,
      errors: [{ pointer: "/code", detail: message }],
    });
  }
  return completeEmailChange(deps, { changeId: change.id, accountId, requestId });
};
