const acts: Readonly<Record<string, string>> = {
  "mandate.activated": "Granted",
  "mandate.narrowed": "A limit lowered",
  "mandate.replaced": "Other limits allowed",
  "mandate.replacement_declined": "Other limits declined",
  "mandate.suspended": "Suspended",
  "mandate.resumed": "A suspension lifted",
  "mandate.revoked": "Revoked",
  "mandate.expired": "Reached its end",
  "mandate.consumed": "Used up",
  "credential.issued": "Credential issued",
  "credential.withdrawn": "Credential withdrawn",
};

export const operatorMandateActionLabel = (action: string): string => acts[action] ?? action;

const holders: Readonly<Record<string, string>> = { payer: "the payer", operator: "an operator" };

/** Whose suspensions stand, each of which only its own kind lifts. */
export const describeSuspensions = (kinds: readonly string[]): string =>
  kinds.map((kind) => holders[kind] ?? kind).join(" and ");
