import type { AccessTokenClaims } from "../../contract/callers.ts";
import { appendAuditAlone } from "../../data/audit/audit.ts";
import { findExchangeTerms } from "../../data/oauth/grants.ts";
import type { Deps } from "../../deps/deps.ts";
import type { AuthorizationDetails } from "../../kernel/authorization-details.ts";
import { newId, newSecret } from "../../kernel/ids.ts";
import { assertPresent, checkRules } from "../../kernel/rule.ts";
import { epochSeconds } from "../../kernel/time/clock.ts";
import { firstEndOf, narrowerOf, narrowForToken } from "../../mandates/details/narrow-for-token.ts";
import { mayPay } from "../../mandates/use/may-pay.ts";
import {
  accessTokenType,
  exchangeSubjectRules,
  exchangeTargetRules,
  exchangeTermsRules,
  readExchange,
  tokenExchangeGrant,
} from "../rules/tokens/token-exchange.ts";
import { mandateTokenSeconds } from "../rules/tokens/tokens.ts";
import { signMandateToken } from "../tokens/sign-access-token.ts";
import { findTokenLiveness } from "../tokens/verify-access-token.ts";
import { type MandateTokenClaims, verifyAccessTokenJwt } from "../tokens/verify-access-token-jwt.ts";
import type { TokenResponse } from "./issue-grant-tokens.ts";
import { optionalText, type TokenRequest } from "./token-request.ts";

/**
 * RFC 8693: an agent exchanges its own live access token for a mandate token for one merchant, with a proof by the same
 * key. The mandate token expires no later than its subject token, ends with the grant and the client, and can't be
 * exchanged.
 * @throws OAuthError invalid_request, invalid_target, invalid_scope, invalid_authorization_details,
 *   invalid_dpop_proof, use_dpop_nonce.
 */
export const exchangeToken = async (deps: Deps, request: TokenRequest): Promise<TokenResponse> => {
  const { client, form, info } = request;
  const { subjectToken, audience } = readExchange(form);
  const proof = await request.readProof(client);
  const found = await verifyAccessTokenJwt(deps, subjectToken);
  const isOwn = found?.client_id === client.id;
  const jkt = found?.cnf?.jkt ?? null;
  checkRules(exchangeSubjectRules, {
    isOwnAndLive: found !== null && isOwn && (await findTokenLiveness(deps, found)) !== null,
    jkt,
    proofJkt: proof?.jkt ?? null,
  });
  const subject = assertPresent(found);
  const details = await exchangedDetails(deps, {
    subject,
    audience,
    requested: optionalText(form, "authorization_details"),
  });
  const claims = await mandateTokenClaims(deps, { subject, audience, details, jkt: assertPresent(jkt) });
  await proof?.consume();
  const signed = signMandateToken(deps, claims);
  await appendAuditAlone(deps.db, {
    at: deps.clock.now(),
    actor: { kind: "client", id: client.id },
    action: "token.issued",
    subjectId: subject.grant_id ?? client.id,
    requestId: info.requestId,
    data: {
      grant_type: tokenExchangeGrant,
      jti: claims.jti,
      audience,
      spend_id: claims.spend_id,
      subject_jti: subject.jti,
    },
  });
  return {
    access_token: signed.token,
    issued_token_type: accessTokenType,
    token_type: "DPoP",
    expires_in: signed.expiresIn,
    authorization_details: details,
    ...(subject.grant_id === undefined ? {} : { grant_id: subject.grant_id }),
  };
};

type Exchange = { subject: AccessTokenClaims; audience: string; requested: string | undefined };

/**
 * The intersection of the subject token's details, the current mandates and the requested details. Without requested
 * details, only the mandates that may pay this merchant are included.
 */
const exchangedDetails = async (
  deps: Deps,
  { subject, audience, requested }: Exchange,
): Promise<readonly AuthorizationDetails[]> => {
  const held = subject.authorization_details ?? [];
  const terms = await findExchangeTerms(deps.db.sql, {
    audience,
    mandateIds: held.map(({ identifier }) => identifier),
    now: await deps.businessClock.now(),
  });
  const current = held.flatMap((before): AuthorizationDetails[] => {
    const now = terms.details.find(({ identifier }) => identifier === before.identifier);
    const details = now && narrowerOf(before, now);
    return details ? [details] : [];
  });
  checkRules(exchangeTermsRules, {
    namesMandate: held.length > 0,
    isUnchanged: current.length === held.length,
  });
  const narrowed = narrowForToken(current, requested);
  const merchantCategory = terms.merchantCategory ?? "";
  const payable = narrowed.filter((details) => mayPay(details, { merchantId: audience, merchantCategory }));
  checkRules(exchangeTargetRules, {
    isMerchant: terms.merchantCategory !== null,
    isPayee: payable.length > 0 && (requested === undefined || payable.length === narrowed.length),
  });
  return payable;
};

const mandateTokenClaims = async (
  { clock, businessClock }: Deps,
  input: { subject: AccessTokenClaims; audience: string; details: readonly AuthorizationDetails[]; jkt: string },
): Promise<MandateTokenClaims> => {
  const { scope: _scope, ...subject } = input.subject;
  const issuedAt = epochSeconds(clock.now());
  return {
    ...subject,
    aud: input.audience,
    iat: issuedAt,
    exp: Math.min(issuedAt + mandateTokenSeconds(await businessClock.now(), firstEndOf(input.details)), subject.exp),
    jti: newSecret(),
    cnf: { jkt: input.jkt },
    authorization_details: [...input.details],
    spend_id: newId("spd"),
  };
};
