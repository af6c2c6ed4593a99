import { DomainError } from "../../kernel/errors.ts";

/** Roles that an invitation can give. Only an owner can make another member an owner. */
export const invitedRoles = ["admin", "developer", "viewer"] as const;
export type InvitedRole = (typeof invitedRoles)[number];

/**
 * Only an owner can make a member an owner, or change or remove an owner.
 * @param concernsOwner whether the member is an owner, or becomes one
 * @returns null if the change is allowed.
 */
export const teamChangeRefusal = (change: { isOwner: boolean; concernsOwner: boolean }): DomainError | null =>
  change.concernsOwner && !change.isOwner
    ? new DomainError("forbidden", {
        code: "owners_only",
        message: "Only an owner can appoint, change or remove an owner.",
      })
    : null;

export const lastOwnerRefusal = (): DomainError =>
  new DomainError("conflict", {
    code: "last_owner",
    message: "A merchant needs an owner. Transfer the ownership to another member first.",
  });
