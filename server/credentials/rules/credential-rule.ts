/** Why a presented credential or token doesn't allow the use of a mandate (docs/spec/payments.md, Reason codes). */
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

/** `constraint` names the field that broke the rule, never its value. */
export type CredentialRefusal = { code: CredentialReasonCode; constraint: string };

/** One condition on the presented credential or token, and the reason that the merchant gets if it fails. */
export type CredentialRule<Subject> = CredentialRefusal & {
  readonly name: string;
  /** for example `RFC 9901 §7.3` */
  readonly source: string;
  holds(subject: Subject): boolean;
};

/** Evaluated in table order: a later rule may rely on the earlier ones. */
export const firstRefusal = <Subject>(
  rules: readonly CredentialRule<Subject>[],
  subject: Subject,
): CredentialRefusal | null => {
  const broken = rules.find((rule) => !rule.holds(subject));
  return broken ? { code: broken.code, constraint: broken.constraint } : null;
};
