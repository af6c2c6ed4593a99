import { insertPendingSignUp } from "../../data/accounts/pending-sign-ups.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { tidyName } from "../../kernel/text/display-name.ts";
import { tidyEmail } from "../../kernel/text/email-address.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { mailedCodeTries } from "../mailed-code.ts";
import { isCommonPassword } from "../passwords/common-passwords.ts";
import { hashPassword } from "../sign-in/passwords.ts";
import { limitedAddress, takeAttempts } from "../sign-in/sign-in-attempts.ts";
import { admitSignUp } from "./admit-sign-up.ts";
import { makeSignUpCode, queueSignUpMail } from "./mail-sign-up.ts";
import { signUpCookie, signUpSeconds, signUpSecret } from "./rules/sign-up-cookie.ts";
import { type SignUpFields, type SignUpProblems, signUpProblems } from "./rules/sign-up-form.ts";
import { signUpLimits } from "./rules/sign-up-limits.ts";

type SignUpInput = {
  fields: SignUpFields;
  /** the result of `safeReturnTo` */
  returnTo: string;
  invitation: string | null;
  locale: string;
  timeZone: string;
  info: RequestInfo;
};

export type SignUpBegun = { kind: "begun"; cookie: string } | { kind: "invalid"; problems: SignUpProblems };

/**
 * Stores a sign-up and sends its code. The account is created when the address is verified, so no one can block the
 * address of another person. For an address that has an account, everything is the same except the text of the mail.
 * @throws DomainError sign_up_closed, sign_up_invite_only, too_many_attempts.
 */
export const beginSignUp = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  input: SignUpInput,
): Promise<SignUpBegun> => {
  const { fields, info } = input;
  const admission = await admitSignUp(deps, input);
  if (admission.kind === "refused") throw admissionRefusal(admission.reason);
  const isCommon = await isCommonPassword(fields.password);
  const problems = signUpProblems(fields, { isCommon, invited: admission.invited });
  if (Object.keys(problems).length > 0) return { kind: "invalid", problems };
  const emailHash = sha256Base64url(tidyEmail(fields.email));
  await takeAttempts(deps, signUpLimits({ emailHash, ipAddress: limitedAddress(deps.config, info) }));
  return { kind: "begun", cookie: await store(deps, input) };
};

const store = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { fields, returnTo, locale, timeZone, info }: SignUpInput,
): Promise<string> => {
  const { environment, masterKey } = deps.config;
  const now = deps.clock.now();
  const [id, email] = [newId("sup"), tidyEmail(fields.email)];
  const secret = signUpSecret(masterKey, id);
  const passwordHash = fields.method === "password" ? await hashPassword(fields.password) : null;
  const made = await makeSignUpCode(deps, { id, email });
  const person = { email, displayName: tidyName(fields.name), locale, timeZone, returnTo };
  await deps.db.transaction(async (tx) => {
    await insertPendingSignUp(tx, {
      ...person,
      id,
      accountId: newId("acc"),
      passwordHash,
      isTaken: made.isTaken,
      cookieHash: sha256Base64url(secret),
      linkHash: made.linkHash,
      codeHash: made.codeHash,
      codeExpiresAt: made.codeExpiresAt,
      triesLeft: mailedCodeTries,
      userAgent: info.userAgent,
      createdAt: now,
      expiresAt: addSeconds(now, signUpSeconds),
    });
    await appendAudit(tx.sql, {
      at: now,
      actor: { kind: "anonymous", id: "-" },
      action: "sign_up.begun",
      subjectId: id,
      requestId: info.requestId,
    });
    await queueSignUpMail(deps, tx.sql, { to: person, made, requestId: info.requestId });
  });
  return signUpCookie(environment, secret);
};

const admissionRefusal = (reason: "invite_only" | "closed"): DomainError =>
  new DomainError("forbidden", {
    code: `sign_up_${reason}`,
    message:
      reason === "closed"
        ? "Sign-up is closed. No new accounts are created at the moment."
        : "New accounts need an invitation. Ask the person who invited you for a new link.",
  });
