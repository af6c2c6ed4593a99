/** Why what was presented gives no right to use a mandate (docs/spec/payments.md, Reason codes). */
export type CredentialReasonCode =
  | "invalid_signature"
  | "untrusted_issuer"
  | "credential_expired"
  | "credential_superseded"
  | "wrong_environment"
  | "audience_mismatch"
  | "nonce_mismatch"
  | "presentation_mismatch"
  | "replayed"
  | "key_binding_missing";

/** `constraint` names the part that broke the rule, never its value. */
export type CredentialRefusal = { code: CredentialReasonCode; constraint: string };

/** One thing that must hold of what is presented, and what the merchant is told where it doesn't. */
export type CredentialRule<Subject> = CredentialRefusal & {
  readonly name: string;
  /** for example `RFC 9901 §7.3` */
  readonly source: string;
  holds(subject: Subject): boolean;
};

/** In the order of the table: a later rule may rely on those before it. */
export const firstRefusal = <Subject>(
  rules: readonly CredentialRule<Subject>[],
  subject: Subject,
): CredentialRefusal | null => {
  const broken = rules.find((rule) => !rule.holds(subject));
  return broken ? { code: broken.code, constraint: broken.constraint } : null;
};
