import type { MerchantRole } from "#server/accounts/authorize.ts";
import { capitalize } from "../../format/text.ts";

/** What each role can do. */
export const roleTexts: Readonly<Record<MerchantRole, string>> = {
  owner: "Can do everything, including transferring the ownership.",
  admin: "Can do everything except transfer the ownership and appoint, change or remove owners.",
  developer: "Can manage apps, webhooks and the directory entry, and view everything except the audit log.",
  viewer: "Can view everything except the audit log, but change nothing.",
};

export const invitableRoles = ["admin", "developer", "viewer"] as const;

export const roleName = (role: MerchantRole): string => capitalize(role);

/** The roles as the options of a choice. */
export const roleOptions = (roles: readonly MerchantRole[]) =>
  roles.map((role) => ({ value: role, name: roleName(role), meaning: roleTexts[role] }));
