import type { Actor } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { isNoAdmin } from "../../data/operators/operators.ts";
import { DomainError } from "../../kernel/errors.ts";

/**
 * Call this first in a transaction that changes operators. The caller's role was checked before the transaction: an
 * admin who was demoted in between could otherwise regain the role.
 * @throws DomainError admins_only.
 */
export const refuseFormerAdmin = async (sql: Sql, actor: Actor): Promise<void> => {
  if (actor.kind !== "operator" || !(await isNoAdmin(sql, actor.id))) return;
  throw new DomainError("forbidden", {
    code: "admins_only",
    message: "Only admins can change operators. Your role has changed: reload the page.",
  });
};
