import type { OperatorRole } from "#server/accounts/authorize.ts";

/** Names and descriptions of the roles. `meaning` is the end of a sentence on the invitation page. */
export const operatorRoleLabels: Readonly<Record<OperatorRole, { name: string; summary: string; meaning: string }>> = {
  admin: {
    name: "Admin",
    summary: "Can do everything.",
    meaning: "you can do everything, including managing keys and operators.",
  },
  support: {
    name: "Support",
    summary:
      "Can suspend and resume mandates, merchants and directory entries, remove logos, end payers’ sessions, retry jobs, look-ups and usage comparisons, and manage incidents and maintenance. Can view everything except the outbox.",
    meaning:
      "you can suspend and resume mandates, merchants and directory entries, remove logos, end payers’ sessions, retry jobs, look-ups and usage comparisons, manage incidents and maintenance, and view everything except the outbox.",
  },
  viewer: {
    name: "Viewer",
    summary: "Can view everything except the outbox. Can’t change anything.",
    meaning: "you can view everything except the outbox. You can’t change anything.",
  },
};
