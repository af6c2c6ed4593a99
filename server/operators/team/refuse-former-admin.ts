import type { Actor } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { isNoAdmin } from "../../data/operators/operators.ts";
import { DomainError } from "../../kernel/errors.ts";

/**
 * Call it first in a transaction that changes operators. The role was checked before. A change that ran in between may
 * have taken it away, and a former admin could regain it.
 * @throws DomainError admins_only.
 */
export const refuseFormerAdmin = async (sql: Sql, actor: Actor): Promise<void> => {
  if (actor.kind !== "operator" || !(await isNoAdmin(sql, actor.id))) return;
  throw new DomainError("forbidden", {
    code: "admins_only",
    message: "Only admins can change operators. Your role has changed: reload the page.",
  });
};
