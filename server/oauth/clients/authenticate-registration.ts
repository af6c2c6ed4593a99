import type { RegistrationCaller } from "../../contract/callers.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import { dropFormerToken, findRegistration, type RegistrationRow } from "../../data/oauth/client-registrations.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { secretsEqual, sha256Base64url } from "../../kernel/crypto/hash.ts";
import { assertPresent, checkRules } from "../../kernel/rule.ts";
import { isText } from "../../kernel/text/text.ts";
import { registrationTokenRules, registrationTokenSentRules } from "../rules/clients/registration-tokens.ts";
import { bearerChallenge, parseAuthorization } from "../rules/tokens/authorization-header.ts";

type Input = { clientId: string; authorization: string | null; info: RequestInfo };

type Hashes = Pick<RegistrationRow, "registrationTokenHash" | "formerTokenHash">;

/** Always compares both hashes, so that timing reveals nothing (RFC 7592 §5). */
const compareToken = (hashes: Hashes, tokenHash: string): "present" | "former" | null => {
  const isPresent = secretsEqual(hashes.registrationTokenHash, tokenHash);
  const isFormer = secretsEqual(hashes.formerTokenHash ?? "", tokenHash);
  if (isPresent) return "present";
  return isFormer ? "former" : null;
};

/** Compares the token with the row again, now that the row is locked. @throws OAuthError invalid_token (401). */
export const checkStillOf = (registration: Hashes | null, { tokenHash }: RegistrationCaller): void =>
  checkOf(registration !== null && compareToken(registration, tokenHash) !== null);

const checkOf = (isOfClient: boolean): void => checkRules(registrationTokenRules, { isOfClient }, bearerChallenge);

/**
 * Authenticates by the client's registration access token (RFC 7592 §2). The first use of a token ends its predecessor.
 * @throws OAuthError invalid_token (401).
 */
export const authenticateRegistration = async (deps: Deps, input: Input): Promise<RegistrationCaller> => {
  const { clientId, authorization, info } = input;
  checkRules(registrationTokenSentRules, { authorization }, () => bearerChallenge(null));
  const presented = parseAuthorization(authorization);
  const found = isText(clientId) ? await findRegistration(deps.db.sql, clientId) : null;
  const tokenHash = sha256Base64url(presented?.scheme === "bearer" ? presented.token : "");
  const match = compareToken(found ?? { registrationTokenHash: "", formerTokenHash: null }, tokenHash);
  checkOf(found !== null && presented !== null && match !== null);
  const registration = assertPresent(found);
  if (match === "present" && registration.formerTokenHash !== null) await endFormerToken(deps, registration, info);
  return { registration, token: assertPresent(presented).token, tokenHash };
};

const endFormerToken = (deps: Deps, { id, registrationTokenHash }: RegistrationRow, info: RequestInfo): Promise<void> =>
  deps.db.sqlTransaction(async (sql) => {
    if (!(await dropFormerToken(sql, id, registrationTokenHash))) return;
    await appendAudit(sql, {
      at: deps.clock.now(),
      actor: { kind: "client", id },
      action: "registration_token.ended",
      subjectId: id,
      requestId: info.requestId,
    });
  });
