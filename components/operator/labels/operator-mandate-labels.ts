const acts: Readonly<Record<string, string>> = {
  "mandate.activated": "Granted",
  "mandate.narrowed": "Limit lowered",
  "mandate.replaced": "New limits approved",
  "mandate.replacement_declined": "New limits declined",
  "mandate.suspended": "Suspended",
  "mandate.resumed": "Suspension lifted",
  "mandate.revoked": "Revoked",
  "mandate.payment_method_changed": "Payment method changed",
  "mandate.rejected": "Declined",
  "mandate.expired": "Expired",
  "mandate.consumed": "Used up",
  "credential.issued": "Credential issued",
  "credential.withdrawn": "Credential withdrawn",
};

export const operatorMandateActionLabel = (action: string): string => acts[action] ?? action;

const holders: Readonly<Record<string, string>> = { payer: "the payer", operator: "an operator" };

/** Names who suspended the mandate. Both the payer and operators can lift only their own suspension. */
export const describeSuspensions = (kinds: readonly string[]): string =>
  kinds.map((kind) => holders[kind] ?? kind).join(" and ");
