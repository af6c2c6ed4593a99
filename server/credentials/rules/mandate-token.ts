import { epochSeconds } from "../../kernel/time/clock.ts";
import { isUnexpired } from "../../kernel/time/numeric-date.ts";
import type { CredentialRefusal, CredentialRule } from "./credential-rule.ts";

type Members = Readonly<Record<string, unknown>>;

/** A mandate token that a merchant received, with everything needed to check it. */
export type MandateTokenSubject = {
  /** as received, not verified; null if it isn't a JWT */
  unverified: Members | null;
  /** verified claims of a mandate token that we signed; null for anything else */
  signed: Members | null;
  issuer: string;
  otherIssuer: string | null;
  environment: string;
  merchantId: string;
  hasProof: boolean;
  now: Date;
};

export const mandateTokenRules: readonly CredentialRule<MandateTokenSubject>[] = [
  {
    name: "token-form",
    source: "RFC 7519 §7.2",
    code: "invalid_signature",
    constraint: "mandate_token",
    holds: ({ unverified }) => unverified !== null,
  },
  {
    name: "token-other-issuer",
    source: "docs/spec/oauth.md, Key separation",
    code: "wrong_environment",
    constraint: "mandate_token.iss",
    holds: ({ unverified, otherIssuer }) => otherIssuer === null || unverified?.["iss"] !== otherIssuer,
  },
  {
    name: "token-issuer",
    source: "RFC 9068 §4",
    code: "untrusted_issuer",
    constraint: "mandate_token.iss",
    holds: ({ unverified, issuer }) => unverified?.["iss"] === issuer,
  },
  {
    name: "token-environment",
    source: "docs/spec/oauth.md, Access tokens",
    code: "wrong_environment",
    constraint: "mandate_token.env",
    holds: ({ unverified, environment }) => unverified?.["env"] === environment,
  },
  {
    name: "token-signature",
    source: "RFC 9068 §4",
    code: "invalid_signature",
    constraint: "mandate_token",
    holds: ({ signed }) => signed !== null,
  },
  {
    name: "token-age",
    source: "RFC 9068 §4",
    code: "credential_expired",
    constraint: "mandate_token.exp",
    holds: ({ signed, now }) => isUnexpired(signed?.["exp"], epochSeconds(now)),
  },
  {
    name: "token-audience",
    source: "docs/spec/payments.md, Who may use a mandate",
    code: "audience_mismatch",
    constraint: "mandate_token.aud",
    holds: ({ signed, merchantId }) => signed?.["aud"] === merchantId,
  },
  {
    name: "token-proof",
    source: "docs/spec/payments.md, Who may use a mandate",
    code: "key_binding_missing",
    constraint: "mandate_token_proof",
    holds: ({ hasProof }) => hasProof,
  },
  {
    // With several mandates, it would be unclear which one to charge. A token exchange that names one mandate returns a
    // token for this mandate only.
    name: "token-of-one-mandate",
    source: "docs/spec/payments.md, Who may use a mandate",
    code: "presentation_mismatch",
    constraint: "mandate_token.authorization_details",
    holds: ({ signed }) => {
      const details = signed?.["authorization_details"];
      return Array.isArray(details) && details.length === 1;
    },
  },
];

/** For each rule of RFC 9449 §4.3, by name: the reason that a merchant gets if a DPoP proof breaks the rule. */
const proofRefusals: Readonly<Record<string, CredentialRefusal>> = {
  "proof-htm": { code: "audience_mismatch", constraint: "mandate_token_proof.htm" },
  "proof-htu": { code: "audience_mismatch", constraint: "mandate_token_proof.htu" },
  "proof-age": { code: "credential_expired", constraint: "mandate_token_proof.iat" },
  "proof-exp": { code: "credential_expired", constraint: "mandate_token_proof.exp" },
  "proof-nbf": { code: "credential_expired", constraint: "mandate_token_proof.nbf" },
  "proof-ath": { code: "presentation_mismatch", constraint: "mandate_token_proof.ath" },
  "proof-nonce-fresh": { code: "nonce_mismatch", constraint: "mandate_token_proof.nonce" },
};

export const proofRefusal = (rule: string | null): CredentialRefusal =>
  proofRefusals[rule ?? ""] ?? { code: "invalid_signature", constraint: "mandate_token_proof" };
