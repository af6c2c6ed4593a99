import type { OperatorRole } from "#server/accounts/authorize.ts";

/** Roles as the console names them. `meaning` continues a sentence to the person. */
export const operatorRoleLabels: Readonly<Record<OperatorRole, { name: string; summary: string; meaning: string }>> = {
  admin: {
    name: "Admin",
    summary: "everything",
    meaning: "you can do everything, including keys, plans and operators.",
  },
  support: {
    name: "Support",
    summary: "reads, suspends, retries, posts incidents",
    meaning: "you read everything, suspend, retry and post incidents, but change no keys or plans.",
  },
  viewer: { name: "Viewer", summary: "reads", meaning: "you read everything and change nothing." },
};
