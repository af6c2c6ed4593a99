import { checkRules, defineRules } from "../../../kernel/rule.ts";

export const tokenExchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";

/** RFC 8693 §3: the accepted and the issued token type. A mandate token is an access token for one merchant. */
export const accessTokenType = "urn:ietf:params:oauth:token-type:access_token";

export type ExchangeForm = Readonly<Record<string, string | readonly string[]>>;
export type ExchangeRequest = { subjectToken: string; audience: string };

const has = (form: ExchangeForm, name: string): boolean => form[name] !== undefined;

const shared = { places: ["token"], error: "invalid_request" } as const;

export const exchangeRequestRules = defineRules<ExchangeForm>("token exchange, request", shared, [
  {
    name: "subject-token-sent",
    source: "RFC 8693 §2.1",
    problem: "subject_token is missing",
    holds: (form) => has(form, "subject_token"),
  },
  {
    name: "subject-token-type-sent",
    source: "RFC 8693 §2.1",
    problem: "subject_token_type is missing",
    holds: (form) => has(form, "subject_token_type"),
  },
  {
    name: "subject-token-type",
    source: "RFC 8693 §3",
    problem: "subject_token_type must be access_token",
    holds: (form) => form["subject_token_type"] === accessTokenType,
  },
  {
    name: "requested-token-type",
    source: "RFC 8693 §2.1",
    problem: "requested_token_type must be access_token",
    holds: (form) => !has(form, "requested_token_type") || form["requested_token_type"] === accessTokenType,
  },
  {
    // No actor is allowed, because the agent itself passes on the token.
    name: "no-actor",
    source: "docs/spec/oauth.md, Token exchange",
    problem: "actor_token and actor_token_type are not supported",
    holds: (form) => !has(form, "actor_token") && !has(form, "actor_token_type"),
  },
  {
    name: "audience-sent",
    source: "docs/spec/oauth.md, Token exchange",
    problem: "audience is missing: send the ID of a merchant",
    holds: (form) => has(form, "audience"),
  },
  {
    name: "audience-single",
    source: "docs/spec/oauth.md, Token exchange",
    error: "invalid_target",
    problem: "audience must be the ID of one merchant",
    holds: (form) => (form["audience"]?.length ?? 0) <= 1,
  },
  {
    name: "no-resource",
    source: "RFC 8693 §2.2.2",
    error: "invalid_target",
    problem: "a mandate token has an audience: omit resource",
    holds: (form) => !has(form, "resource"),
  },
  {
    name: "no-scope",
    source: "docs/spec/oauth.md, Token exchange",
    error: "invalid_scope",
    problem: "a mandate token has no scope: omit scope",
    holds: (form) => !has(form, "scope"),
  },
]);

/** @throws OAuthError invalid_request, invalid_target, invalid_scope. */
export const readExchange = (form: ExchangeForm): ExchangeRequest => {
  checkRules(exchangeRequestRules, form);
  return { subjectToken: String(form["subject_token"]), audience: String(form["audience"]?.[0]) };
};

type Subject = {
  isOwnAndLive: boolean;
  /** thumbprint of the key that the subject token is bound to */
  jkt: string | null;
  proofJkt: string | null;
};

export const exchangeSubjectRules = defineRules<Subject>("token exchange, subject", shared, [
  {
    // Same answer for unknown, other clients' and ended tokens: RFC 8693 has one error code for all.
    name: "subject-own-and-live",
    source: "RFC 8693 §2.2.2",
    problem: "subject_token is not a valid access token of this client",
    holds: ({ isOwnAndLive }) => isOwnAndLive,
  },
  {
    // The merchant receives the token, so it must be bound to a key. A Bearer token isn't.
    name: "subject-bound",
    source: "docs/spec/oauth.md, Token exchange",
    problem: "subject_token is not bound to a key",
    holds: ({ jkt }) => jkt !== null,
  },
  {
    name: "exchange-proof",
    source: "docs/spec/oauth.md, Token exchange",
    error: "invalid_dpop_proof",
    problem: "a DPoP proof is required",
    holds: ({ proofJkt }) => proofJkt !== null,
  },
  {
    name: "exchange-proof-key",
    source: "docs/spec/oauth.md, Token exchange",
    error: "invalid_dpop_proof",
    problem: "subject_token is bound to another key",
    holds: ({ jkt, proofJkt }) => jkt === proofJkt,
  },
]);

type Terms = { namesMandate: boolean; isUnchanged: boolean };

export const exchangeTermsRules = defineRules<Terms>("token exchange, mandates", shared, [
  {
    name: "subject-names-mandate",
    source: "docs/spec/oauth.md, Token exchange",
    problem: "subject_token names no mandate",
    holds: ({ namesMandate }) => namesMandate,
  },
  {
    name: "mandate-unchanged",
    source: "docs/spec/oauth.md, Token exchange",
    problem: "subject_token is for an earlier version of the mandate: refresh it",
    holds: ({ isUnchanged }) => isUnchanged,
  },
]);

type Target = { isMerchant: boolean; isPayee: boolean };

/**
 * Same answer for an unknown merchant and for a merchant that isn't a payee, after all other checks. The answer must
 * not reveal the existence of a merchant that the mandate doesn't name.
 */
const target = { ...shared, error: "invalid_target" } as const;
const noTarget = "the mandate doesn't allow this merchant as audience";

export const exchangeTargetRules = defineRules<Target>("token exchange, merchant", target, [
  {
    name: "audience-registered",
    source: "RFC 8693 §2.2.2",
    problem: noTarget,
    holds: ({ isMerchant }) => isMerchant,
  },
  {
    name: "audience-is-payee",
    source: "RFC 8693 §2.2.2",
    problem: noTarget,
    holds: ({ isPayee }) => isPayee,
  },
]);
