/** The kinds of e-mail that payers can switch off (docs/spec/portal.md, Notifications). All others are always sent. */
export const optionalMailKinds = ["consent_given", "mandate_changed", "limit_near", "charge_failed"] as const;

export type OptionalMailKind = (typeof optionalMailKinds)[number];
