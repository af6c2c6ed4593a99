import { formRules, parameterRules, queryRules } from "../../../contract/body/form-rules.ts";
import { type Cases, casesOf } from "../../../kernel/rule-cases.fixture.ts";
import { liveTokenRules, presentedTokenRules, tokenKeyRules, tokenProofRules } from "../tokens/access-token.ts";
import {
  codeKeyRules,
  proofClaimsRules,
  proofFormRules,
  proofHeaderRules,
  proofNonceRules,
  proofOfClientRules,
  proofSignatureRules,
  proofUseRules,
  pushedKeyRules,
} from "../tokens/dpop.ts";

export const formCases = casesOf(formRules, { text: "state=%C3%A9" }, { "form-utf8": { text: "state=%FF" } });

export const parameterCases = casesOf(
  parameterRules,
  { name: "scope", value: "a", seen: new Set(["state"]) as ReadonlySet<string> },
  { "parameter-text": { value: "a\0" }, "parameter-once": { name: "state" } },
);

export const queryCases: Cases<{ has(name: string): boolean }> = {
  group: queryRules,
  valid: new URLSearchParams("state=a"),
  breaches: {
    "no-credentials-in-query": new URLSearchParams("client_assertion=a"),
    "no-token-in-query": new URLSearchParams("access_token=a"),
  },
};

const jwk = { kty: "EC", crv: "P-256", x: "x", y: "y" };
const header = { typ: "dpop+jwt", alg: "ES256", jwk };

export const proofHeaderCases: Cases<Readonly<Record<string, unknown>>> = {
  group: proofHeaderRules,
  valid: header,
  breaches: {
    "proof-typ": { ...header, typ: "JWT" },
    "proof-alg": { ...header, alg: "HS256" },
    "proof-crit": { ...header, crit: ["b64"] },
    "proof-jwk": { typ: "dpop+jwt", alg: "ES256" },
    "proof-jwk-public": { ...header, jwk: { ...jwk, d: "d" } },
  },
};

const now = new Date(1_795_219_200_000);
const url = "https://as.example/oauth/token";
const claims = { jti: "j", htm: "POST", htu: `${url}?a=b#c`, iat: 1_795_219_200, ath: "h", nonce: "n" };

export const proofClaimsCases = casesOf(
  proofClaimsRules,
  { claims: claims as Readonly<Record<string, unknown>>, expected: { method: "POST", url, accessTokenHash: "h", now } },
  {
    "proof-jti": { claims: { ...claims, jti: "j".repeat(257) } },
    "proof-jti-text": { claims: { ...claims, jti: "\ud800" } },
    "proof-htm": { claims: { ...claims, htm: "GET" } },
    "proof-htu": { claims: { ...claims, htu: "https://as.example/oauth/par" } },
    "proof-iat": { claims: { ...claims, iat: undefined } },
    "proof-age": { claims: { ...claims, iat: claims.iat - 61 } },
    "proof-exp": { claims: { ...claims, exp: claims.iat - 60 } },
    "proof-nbf": { claims: { ...claims, nbf: claims.iat + 3600 } },
    "proof-ath": { claims: { ...claims, ath: "other" } },
    "proof-nonce": { claims: { ...claims, nonce: 1 } },
  },
);

export const proofNonceCases = casesOf(
  proofNonceRules,
  { nonce: "n" as string | null, mode: "required", isFresh: () => true },
  { "proof-nonce-fresh": { nonce: null } },
);

export const proofFormCases = casesOf(proofFormRules, { isJwt: true }, { "proof-is-jwt": { isJwt: false } });

export const proofSignatureCases = casesOf(
  proofSignatureRules,
  { isSigned: () => true },
  { "proof-signature": { isSigned: () => false } },
);

export const proofUseCases = casesOf(
  proofUseRules,
  { isFresh: true, isBlocked: false },
  { "proof-single-use": { isFresh: false }, "proof-key-not-blocked": { isBlocked: true } },
);

export const proofOfClientCases = casesOf(
  proofOfClientRules,
  { isBound: true, hasProof: true },
  { "proof-of-bound-client": { hasProof: false } },
);

export const pushedKeyCases = casesOf(
  pushedKeyRules,
  { boundTo: "k", jkt: "k" },
  { "dpop-jkt-of-proof": { jkt: "other" } },
);

export const codeKeyCases = casesOf(codeKeyRules, { boundTo: "k", jkt: "k" }, { "code-key": { jkt: null } });

const aud = "https://as.example/merchant_test";

export const presentedTokenCases = casesOf(
  presentedTokenRules,
  { scheme: "dpop", claims: { aud, cnf: { jkt: "k" } }, audience: aud },
  {
    "token-sent": { scheme: null, claims: null },
    "token-verifies": { claims: null },
    "token-of-resource": { audience: "https://as.example" },
    "token-bound-by-dpop": { scheme: "bearer" },
    "token-unbound-as-bearer": { claims: { aud } },
  },
);

export const tokenProofCases = casesOf(
  tokenProofRules,
  { hasProof: true },
  { "token-proof-sent": { hasProof: false } },
);

export const tokenKeyCases = casesOf(
  tokenKeyRules,
  { boundTo: "k", jkt: "k" },
  { "token-proof-key": { jkt: "other" } },
);

export const liveTokenCases = casesOf(
  liveTokenRules,
  {
    isLive: true,
    scopes: ["charges.write"],
    scope: "charges.write",
    isMerchantOnly: true,
    isOfMerchant: true,
    authTime: 1_000,
    maxAuthenticationAgeSeconds: 60,
    now: 1_060,
  },
  {
    "token-live": { isLive: false },
    "token-scope": { scopes: ["charges.read"] },
    "token-of-merchant": { isOfMerchant: false },
    "token-authentication-age": { now: 1_061 },
  },
);
