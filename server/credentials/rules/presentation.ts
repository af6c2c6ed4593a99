import { parseExactly } from "../../kernel/text/json.ts";
import { epochSeconds } from "../../kernel/time/clock.ts";
import { hasBegun, isNumericDate, isUnexpired } from "../../kernel/time/numeric-date.ts";
import type { CredentialRule } from "./credential-rule.ts";
import { areDisclosed, type PresentedSdJwt } from "./sd-jwt.ts";

/** Maximum age of a key binding (docs/spec/payments.md, Who may use a mandate). */
export const bindingSeconds = 600;
/** How far an agent's clock may be ahead of ours. */
const skewSeconds = 60;

type Members = Readonly<Record<string, unknown>>;
type Jws = { header: Members; payload: Members; signingInput: string };

/** A presentation with everything needed to check it. No part is trusted before its rule has passed. */
export type PresentationSubject = {
  presented: PresentedSdJwt | null;
  credential: Jws | null;
  binding: Jws | null;
  issuer: string;
  /** issuer of the other environment, if known */
  otherIssuer: string | null;
  /** whether one of our credential keys signed the credential, with the algorithm that its header names */
  isSigned(): boolean;
  /** whether the key in the credential's `cnf` signed the key binding */
  isBindingSigned(): boolean;
  merchantId: string;
  /** the nonce that the merchant gave the agent to sign; null if the merchant requires none */
  nonce: string | null;
  payment: { amountMinor: bigint; currency: string; transactionId: string | null };
  /** real time, as used in key bindings */
  now: Date;
  /** business time, as used in the credential and its mandate */
  businessNow: Date;
};

const membersOf = (value: unknown): Members | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : null;
const isFilled = (value: unknown): value is string => typeof value === "string" && value !== "";
const mandateOf = ({ credential }: PresentationSubject): Members => membersOf(credential?.payload["mandate"]) ?? {};
const bound = ({ binding }: PresentationSubject): Members => binding?.payload ?? {};

/** Parsed from the signed text, because JSON.parse also accepts `1000.0` and `1e3` as the integer 1000. */
const transactionOf = ({ binding }: PresentationSubject): Members => {
  if (!binding) return {};
  const payload = Buffer.from(binding.signingInput.split(".")[1] ?? "", "base64url").toString();
  return membersOf(membersOf(parseExactly(payload))?.["transaction"]) ?? {};
};

/** The mandate and version that the credential names. */
export const namedMandate = (subject: PresentationSubject): { mandateId: string; version: number } => {
  const { identifier, version } = mandateOf(subject);
  return { mandateId: String(identifier), version: Number(version) };
};

/**
 * The rules for the issuer's part. Until all of these rules pass, nothing in the credential about a mandate is trusted.
 */
export const credentialRules: readonly CredentialRule<PresentationSubject>[] = [
  {
    name: "presentation-form",
    source: "RFC 9901 §4",
    code: "invalid_signature",
    constraint: "presentation",
    holds: ({ presented, credential }) => presented !== null && credential !== null,
  },
  {
    name: "credential-environment",
    source: "docs/spec/oauth.md, Key separation",
    code: "wrong_environment",
    constraint: "presentation.iss",
    holds: ({ credential, otherIssuer }) => otherIssuer === null || credential?.payload["iss"] !== otherIssuer,
  },
  {
    name: "credential-issuer",
    source: "SD-JWT VC §3.5",
    code: "untrusted_issuer",
    constraint: "presentation.iss",
    holds: ({ credential, issuer }) => credential?.payload["iss"] === issuer,
  },
  {
    name: "credential-typ",
    source: "SD-JWT VC §3.2.1",
    code: "invalid_signature",
    constraint: "presentation.typ",
    holds: ({ credential }) => credential?.header["typ"] === "dc+sd-jwt" && credential.header["crit"] === undefined,
  },
  {
    name: "credential-signature",
    source: "RFC 9901 §7.1 (2)",
    code: "invalid_signature",
    constraint: "presentation",
    holds: ({ isSigned }) => isSigned(),
  },
  {
    name: "credential-disclosures",
    source: "RFC 9901 §7.1 (4)",
    code: "invalid_signature",
    constraint: "presentation.disclosures",
    holds: (subject) => areDisclosed(subject.presented?.disclosures ?? [], mandateOf(subject)["_sd"]),
  },
];

/** The rules for the holder's part: the key binding must be recent, and signed for this merchant and payment. */
export const bindingRules: readonly CredentialRule<PresentationSubject>[] = [
  {
    name: "credential-age",
    source: "RFC 9901 §7.1 (7)",
    code: "credential_expired",
    constraint: "presentation.exp",
    holds: ({ credential, businessNow }) => isUnexpired(credential?.payload["exp"], epochSeconds(businessNow)),
  },
  {
    // A credential without cnf isn't bound to a key, so it can't be presented.
    name: "binding-there",
    source: "RFC 9901 §7.3 (1)",
    code: "key_binding_missing",
    constraint: "presentation",
    holds: ({ presented, credential }) =>
      presented?.keyBinding !== null && membersOf(membersOf(credential?.payload["cnf"])?.["jwk"]) !== null,
  },
  {
    name: "binding-typ",
    source: "RFC 9901 §4.3",
    code: "invalid_signature",
    constraint: "presentation.key_binding.typ",
    holds: ({ binding }) => binding?.header["typ"] === "kb+jwt" && binding.header["crit"] === undefined,
  },
  {
    name: "binding-signature",
    source: "RFC 9901 §7.3 (5)",
    code: "invalid_signature",
    constraint: "presentation.key_binding",
    holds: ({ isBindingSigned }) => isBindingSigned(),
  },
  {
    name: "binding-sd-hash",
    source: "RFC 9901 §4.3.1",
    code: "presentation_mismatch",
    constraint: "presentation.key_binding.sd_hash",
    holds: (subject) => bound(subject)["sd_hash"] === subject.presented?.sdHash,
  },
  {
    name: "binding-audience",
    source: "RFC 9901 §7.3 (5)",
    code: "audience_mismatch",
    constraint: "presentation.key_binding.aud",
    holds: (subject) => bound(subject)["aud"] === subject.merchantId,
  },
  {
    name: "binding-nonce",
    source: "RFC 9901 §7.3 (5)",
    code: "nonce_mismatch",
    constraint: "presentation.key_binding.nonce",
    holds: (subject) => {
      const { nonce } = bound(subject);
      return isFilled(nonce) && (subject.nonce === null || nonce === subject.nonce);
    },
  },
  {
    name: "binding-age",
    source: "RFC 9901 §7.3 (5)",
    code: "credential_expired",
    constraint: "presentation.key_binding.iat",
    holds: (subject) => {
      const { iat } = bound(subject);
      const age = epochSeconds(subject.now) - Number(iat);
      return isNumericDate(iat) && age <= bindingSeconds && age >= -skewSeconds;
    },
  },
  {
    // `exp` and `nbf` are optional, and are enforced if the holder set them. `exp` gets no leeway, because the holder
    // chose it.
    name: "binding-not-expired",
    source: "RFC 7519 §4.1.4",
    code: "credential_expired",
    constraint: "presentation.key_binding.exp",
    holds: (subject) => {
      const { exp } = bound(subject);
      return exp === undefined || isUnexpired(exp, epochSeconds(subject.now));
    },
  },
  {
    name: "binding-begun",
    source: "RFC 7519 §4.1.5",
    code: "credential_expired",
    constraint: "presentation.key_binding.nbf",
    holds: (subject) => {
      const { nbf } = bound(subject);
      return nbf === undefined || hasBegun(nbf, epochSeconds(subject.now) + skewSeconds);
    },
  },
  {
    name: "binding-transaction",
    source: "docs/spec/payments.md, Who may use a mandate",
    code: "presentation_mismatch",
    constraint: "presentation.key_binding.transaction",
    holds: (subject) => {
      const { amount, currency, transaction_id } = transactionOf(subject);
      return Number.isSafeInteger(amount) && isFilled(currency) && isFilled(transaction_id);
    },
  },
  {
    name: "binding-amount",
    source: "docs/spec/payments.md, Who may use a mandate",
    code: "presentation_mismatch",
    constraint: "presentation.key_binding.transaction.amount",
    holds: (subject) => subject.payment.amountMinor <= BigInt(Number(transactionOf(subject)["amount"])),
  },
  {
    name: "binding-currency",
    source: "docs/spec/payments.md, Who may use a mandate",
    code: "presentation_mismatch",
    constraint: "presentation.key_binding.transaction.currency",
    holds: (subject) => transactionOf(subject)["currency"] === subject.payment.currency,
  },
  {
    name: "binding-transaction-id",
    source: "docs/spec/payments.md, Who may use a mandate",
    code: "presentation_mismatch",
    constraint: "presentation.key_binding.transaction.transaction_id",
    holds: (subject) => {
      const { transactionId } = subject.payment;
      return transactionId === null || transactionOf(subject)["transaction_id"] === transactionId;
    },
  },
];
