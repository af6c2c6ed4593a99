type Actor = { actorKind: string; actorId: string };

const people: Readonly<Record<string, string>> = {
  operator: "an operator",
  account: "an account holder",
  payer: "the payer",
  merchant: "a member of the merchant’s team",
};

const parts: Readonly<Record<string, string>> = {
  "announce-resets": "sandbox reset schedule",
  billing: "billing engine",
  "delete-accounts": "account deletion job",
  "finish-reset": "sandbox reset",
  mail: "mail delivery",
  "maintain-signing-keys": "key maintenance",
  "prepare-data-exports": "data export job",
  "remind-postmortems": "postmortem reminder",
  "run-maintenances": "maintenance schedule",
  vies: "VIES check",
  "withdraw-credentials": "credential withdrawal",
};

/** Describes the actor, for use in a sentence. It doesn't identify people: their IDs are in the audit log. */
export const actorName = ({ actorKind, actorId }: Actor): string => {
  if (actorKind === "system") return `the ${parts[actorId] ?? actorId.replaceAll(/[_-]/g, " ")}`;
  return people[actorKind] ?? (actorId === "-" ? actorKind : `${actorKind} ${actorId}`);
};
