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
