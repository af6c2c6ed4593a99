/** The kinds of e-mail that payers can switch off (docs/spec/portal.md, Notifications). All others are always sent. */
export const optionalMailKinds = ["consent_given", "mandate_changed", "limit_near", "charge_failed"] as const;

export type OptionalMailKind = (typeof optionalMailKinds)[number];

/**
 * The kinds of e-mail whose text has a code or a link that proves something, for example who owns the address. Exports
 * leave the text out.
 */
export const mailKindsWithSecret = [
  "verification",
  "password_reset",
  "email_change_code",
  "invitation",
  "merchant_invitation",
  "status_confirm",
  "status_update",
] as const;
