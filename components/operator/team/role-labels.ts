import type { OperatorRole } from "#server/accounts/authorize.ts";

/** Names and descriptions of the roles. `meaning` continues a sentence of the invitation page. */
export const operatorRoleLabels: Readonly<Record<OperatorRole, { name: string; summary: string; meaning: string }>> = {
  admin: {
    name: "Admin",
    summary: "Can do everything.",
    meaning: "you can do everything, including managing keys and operators.",
  },
  support: {
    name: "Support",
    summary:
      "Can suspend and resume mandates, merchants and directory entries. Can retry jobs, look-ups and usage comparisons. Can remove logos, end payers’ sessions, and manage incidents and maintenance. Can view everything except the outbox.",
    meaning:
      "you can suspend and resume mandates, merchants and directory entries. You can retry jobs, look-ups and usage comparisons. You can remove logos, end payers’ sessions, and manage incidents and maintenance. You can view everything except the outbox.",
  },
  viewer: {
    name: "Viewer",
    summary: "Can view everything except the outbox. Can’t change anything.",
    meaning: "you can view everything except the outbox. You can’t change anything.",
  },
};
