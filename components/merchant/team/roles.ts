import type { MerchantRole } from "#server/accounts/authorize.ts";

/** What each role can do, for choices. */
export const roleTexts: Readonly<Record<MerchantRole, string>> = {
  owner: "Owner: everything, and transfers the ownership",
  admin: "Admin: payments, apps, settings and the team",
  developer: "Developer: apps, webhooks and logs; reads payments",
  viewer: "Viewer: reads everything, changes nothing",
};

export const invitableRoles = ["admin", "developer", "viewer"] as const;

export const roleName = (role: MerchantRole): string => `${role.charAt(0).toUpperCase()}${role.slice(1)}`;
