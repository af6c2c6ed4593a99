import { defineRules } from "../../../kernel/rule.ts";

const shared = { places: ["every access token"], error: "invalid_token" } as const;

type Presented = {
  scheme: "bearer" | "dpop" | null;
  /** null if it isn't ours, has expired, or is for another issuer or environment */
  claims: { aud: string; cnf?: { jkt: string } } | null;
  audience: string;
};

export const presentedTokenRules = defineRules<Presented>("access token", shared, [
  {
    name: "token-sent",
    source: "RFC 6750 §3.1",
    problem: "an access token is required",
    holds: ({ scheme }) => scheme !== null,
  },
  {
    name: "token-verifies",
    source: "RFC 9068 §4",
    problem: "the access token is invalid, expired or revoked",
    holds: ({ claims }) => claims !== null,
  },
  {
    name: "token-of-resource",
    source: "RFC 9068 §4",
    problem: "the access token is for another resource (aud)",
    holds: ({ claims, audience }) => claims?.aud === audience,
    expected: ({ audience }) => [audience],
  },
  {
    name: "token-bound-by-dpop",
    source: "RFC 9449 §7.2",
    problem: "the access token is bound to a key: use the DPoP scheme",
    holds: ({ claims, scheme }) => claims?.cnf === undefined || scheme === "dpop",
  },
  {
    name: "token-unbound-as-bearer",
    source: "RFC 9449 §7.1",
    problem: "the access token is not bound to a key: use the Bearer scheme",
    holds: ({ claims, scheme }) => claims?.cnf !== undefined || scheme === "bearer",
  },
]);

export const tokenProofRules = defineRules<{ hasProof: boolean }>(
  "access token, proof",
  { ...shared, error: "invalid_dpop_proof" },
  [
    {
      name: "token-proof-sent",
      source: "RFC 9449 §7.1",
      problem: "a DPoP proof is required",
      holds: ({ hasProof }) => hasProof,
    },
  ],
);

export const tokenKeyRules = defineRules<{ boundTo: string; jkt: string }>("access token, key", shared, [
  {
    name: "token-proof-key",
    source: "RFC 9449 §4.3 (12)",
    problem: "the proof is not signed with the key that the token is bound to",
    holds: ({ boundTo, jkt }) => boundTo === jkt,
  },
]);

type Live = {
  isLive: boolean;
  scopes: readonly string[];
  /** the operation's required scope; null: none */
  scope: string | null;
  isMerchantOnly: boolean;
  isOfMerchant: boolean;
  /** when the payer authenticated; null in a client's own token */
  authTime: number | null;
  /** null: any */
  maxAuthenticationAgeSeconds: number | null;
  now: number;
};

export const liveTokenRules = defineRules<Live>("access token, validity and scope", shared, [
  {
    name: "token-live",
    source: "RFC 6750 §3.1",
    problem: "the access token is invalid, expired or revoked",
    holds: ({ isLive }) => isLive,
  },
  {
    name: "token-scope",
    source: "RFC 6750 §3.1",
    error: "insufficient_scope",
    problem: "the access token doesn't have the required scope",
    holds: ({ scopes, scope }) => scope === null || scopes.includes(scope),
    expected: ({ scope }) => (scope === null ? [] : [scope]),
  },
  {
    name: "token-of-merchant",
    source: "docs/spec/oauth.md, Clients, scopes and resources",
    problem: "the access token is not from a merchant client",
    holds: ({ isMerchantOnly, isOfMerchant }) => !isMerchantOnly || isOfMerchant,
  },
  {
    name: "token-authentication-age",
    source: "RFC 9470 §3",
    error: "insufficient_user_authentication",
    problem: "the payer's authentication is too old",
    holds: ({ authTime, maxAuthenticationAgeSeconds: maxAge, now }) =>
      authTime === null || maxAge === null || now - authTime <= maxAge,
  },
]);
