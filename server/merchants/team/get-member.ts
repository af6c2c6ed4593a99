import type { Sql } from "../../data/client.ts";
import { findMember, type TeamMember } from "../../data/merchants/members.ts";
import { DomainError } from "../../kernel/errors.ts";

/** @throws DomainError not_found: the account isn't a member of this merchant. */
export const getMember = async (
  sql: Sql,
  { merchantId, accountId }: { merchantId: string; accountId: string },
): Promise<TeamMember> => {
  const member = await findMember(sql, merchantId, accountId);
  if (member) return member;
  throw new DomainError("not_found", {
    code: "not_found",
    message: "This person isn’t a member of the team any more. Reload the page.",
  });
};

/**
 * The member who changes the team. The role was checked before the merchant was locked, and another change may have
 * removed the role in between.
 * @throws DomainError managers_only.
 */
export const getManager = async (
  sql: Sql,
  { merchantId, accountId }: { merchantId: string; accountId: string },
): Promise<TeamMember> => {
  const member = await findMember(sql, merchantId, accountId);
  if (member?.role === "owner" || member?.role === "admin") return member;
  throw new DomainError("forbidden", {
    code: "managers_only",
    message: "Only owners and admins can change the team. Your role has changed: reload the page.",
  });
};
