import { type Cases, casesOf } from "../../../kernel/rule-cases.fixture.ts";
import { codeAgeRules, codeRequestRules, codeRules, codeUseRules, grantRules } from "../tokens/code.ts";
import {
  refreshAgeRules,
  refreshRequestRules,
  refreshScopeRules,
  refreshTokenRules,
  refreshUseRules,
} from "../tokens/refresh.ts";
import { revokedTokenRules, revokedTypeRules } from "../tokens/revocation.ts";
import {
  accessTokenType,
  exchangeRequestRules,
  exchangeSubjectRules,
  exchangeTargetRules,
  exchangeTermsRules,
} from "../tokens/token-exchange.ts";
import {
  clientCredentialsRules,
  grantResourceRules,
  grantTypeOfClientRules,
  grantTypeRules,
} from "../tokens/token-request.ts";

type Form = Readonly<Record<string, string | readonly string[]>>;

/** Rules of whole forms. Each breach is a complete form. */
const formCases = (
  group: Cases<Form>["group"],
  valid: Form,
  breaches: Readonly<Record<string, Form>>,
): Cases<Form> => ({
  group,
  valid,
  breaches,
});

export const grantTypeCases = casesOf(
  grantTypeRules,
  { grantType: "refresh_token", supported: ["refresh_token"] },
  { "grant-type-sent": { grantType: undefined }, "grant-type-supported": { grantType: "password" } },
);

export const grantTypeOfClientCases = casesOf(
  grantTypeOfClientRules,
  { grantType: "refresh_token", registered: ["refresh_token"] },
  { "grant-type-registered": { registered: ["client_credentials"] } },
);

export const grantResourceCases = casesOf(
  grantResourceRules,
  { resources: ["https://as.example"], baseUrl: "https://as.example" },
  { "resource-of-grant": { resources: ["https://as.example", "https://as.example/merchant_test"] } },
);

export const clientCredentialsCases = formCases(
  clientCredentialsRules,
  {},
  { "no-details-without-payer": { authorization_details: "[]" } },
);

export const codeRequestCases = formCases(
  codeRequestRules,
  { code: "c", redirect_uri: "r" },
  { "code-sent": { redirect_uri: "r" }, "code-redirect-uri-sent": { code: "c" } },
);

// RFC 7636 Appendix B
const codeChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

export const codeCases = casesOf(
  codeRules,
  { code: { clientId: "cl_a", redirectUri: "r", codeChallenge }, clientId: "cl_a", redirectUri: "r", verifier },
  {
    "code-own": { clientId: "cl_b" },
    "code-redirect-uri": { redirectUri: "R" },
    "code-verifier": { verifier: `${verifier}x` },
  },
);

export const codeAgeCases = casesOf(codeAgeRules, { isExpired: false }, { "code-not-expired": { isExpired: true } });
export const codeUseCases = casesOf(codeUseRules, { isFirst: true }, { "code-single-use": { isFirst: false } });
export const grantCases = casesOf(
  grantRules,
  { hasEnded: false, isClientEpoch: true },
  { "grant-live": { hasEnded: true }, "client-unchanged": { isClientEpoch: false } },
);

export const refreshRequestCases = formCases(refreshRequestRules, { refresh_token: "t" }, { "refresh-token-sent": {} });

export const refreshTokenCases = casesOf(
  refreshTokenRules,
  { token: { clientId: "cl_a" }, clientId: "cl_a" },
  { "refresh-token-own": { clientId: "cl_b" } },
);

export const refreshAgeCases = casesOf(
  refreshAgeRules,
  { hasEnded: false },
  { "refresh-token-live": { hasEnded: true } },
);

export const refreshScopeCases = casesOf(
  refreshScopeRules,
  { granted: ["a", "b"], requested: ["b"] },
  { "refresh-scope-narrower": { requested: ["b", "c"] } },
);

export const refreshUseCases = casesOf(
  refreshUseRules,
  { isReused: false },
  { "refresh-token-not-reused": { isReused: true } },
);

const exchange: Form = { subject_token: "t", subject_token_type: accessTokenType, audience: ["mch_a"] };

export const exchangeRequestCases = formCases(exchangeRequestRules, exchange, {
  "subject-token-sent": { subject_token_type: accessTokenType, audience: ["mch_a"] },
  "subject-token-type-sent": { subject_token: "t", audience: ["mch_a"] },
  "subject-token-type": { ...exchange, subject_token_type: "urn:ietf:params:oauth:token-type:jwt" },
  "requested-token-type": { ...exchange, requested_token_type: "urn:ietf:params:oauth:token-type:refresh_token" },
  "no-actor": { ...exchange, actor_token: "t" },
  "audience-sent": { subject_token: "t", subject_token_type: accessTokenType },
  "audience-single": { ...exchange, audience: ["mch_a", "mch_b"] },
  "no-resource": { ...exchange, resource: ["https://as.example"] },
  "no-scope": { ...exchange, scope: "charges.write" },
});

export const exchangeSubjectCases = casesOf(
  exchangeSubjectRules,
  { isOwnAndLive: true, jkt: "k", proofJkt: "k" },
  {
    "subject-own-and-live": { isOwnAndLive: false },
    "subject-bound": { jkt: null },
    "exchange-proof": { proofJkt: null },
    "exchange-proof-key": { proofJkt: "other" },
  },
);

export const exchangeTermsCases = casesOf(
  exchangeTermsRules,
  { namesMandate: true, isUnchanged: true },
  { "subject-names-mandate": { namesMandate: false }, "mandate-unchanged": { isUnchanged: false } },
);

export const exchangeTargetCases = casesOf(
  exchangeTargetRules,
  { isMerchant: true, isPayee: true },
  { "audience-registered": { isMerchant: false }, "audience-is-payee": { isPayee: false } },
);

export const revokedTokenCases = casesOf(
  revokedTokenRules,
  { issuedTo: "cl_a", clientId: "cl_a" },
  { "revoked-token-own": { clientId: "cl_b" } },
);

export const revokedTypeCases = casesOf(
  revokedTypeRules,
  { isAnotherOfOurs: false },
  { "revoked-token-type": { isAnotherOfOurs: true } },
);
