import type { MerchantRole } from "#server/accounts/authorize.ts";

/** What each role can do, for choices. */
export const roleTexts: Readonly<Record<MerchantRole, string>> = {
  owner: "Owner: can do everything, including transferring the ownership",
  admin: "Admin: can manage payments, apps, settings and the team",
  developer: "Developer: can manage apps and webhooks, and view logs and payments",
  viewer: "Viewer: can view everything, but change nothing",
};

export const invitableRoles = ["admin", "developer", "viewer"] as const;

export const roleName = (role: MerchantRole): string => `${role.charAt(0).toUpperCase()}${role.slice(1)}`;
