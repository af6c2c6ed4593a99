import type { OperatorRole } from "../../accounts/authorize.ts";
import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import type { Tx } from "../../data/client.ts";
import { revokeInvitationsBy } from "../../data/operators/operator-invitations.ts";
import { setOperatorRole } from "../../data/operators/operators.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { refuseFormerAdmin } from "./refuse-former-admin.ts";

export type RoleChange = {
  accountId: string;
  /** null removes the operator */
  role: OperatorRole | null;
  actor: Actor;
  requestId: string;
  reason: string;
};

/**
 * Changes or removes the role of an operator, with its audit entry, in the caller's transaction. The open
 * invitations that a former admin created become invalid.
 * @throws DomainError admins_only, operator_not_found, last_admin.
 */
export const setRole = async (
  { clock, config }: Pick<Deps, "clock" | "config">,
  tx: Tx,
  { accountId, role, actor, requestId, reason }: RoleChange,
): Promise<void> => {
  await refuseFormerAdmin(tx.sql, actor);
  const before = await tx.account.findUnique({ where: { id: accountId }, select: { operatorRole: true } });
  if (!before?.operatorRole) throw operatorNotFoundRefusal();
  if (before.operatorRole === role) return;
  if (!(await setOperatorRole(tx.sql, { accountId, role, hasDemo: config.isLoopback }))) throw lastAdminRefusal();
  const at = clock.now();
  // Otherwise a former admin could regain access with an invitation that they created.
  const revoked = before.operatorRole === "admin" ? await revokeInvitationsBy(tx.sql, accountId, at) : [];
  for (const subjectId of revoked) {
    await appendAudit(tx.sql, {
      at,
      actor,
      action: "operator.invitation_revoked",
      subjectId,
      requestId,
      data: { reason },
    });
  }
  await appendAudit(tx.sql, {
    at,
    actor,
    action: role === null ? "operator.removed" : "operator.role_changed",
    subjectId: accountId,
    requestId,
    data: { from: before.operatorRole, ...(role ? { to: role } : {}), reason },
  });
};

export const operatorNotFoundRefusal = () =>
  new DomainError("not_found", {
    code: "operator_not_found",
    message: "No operator or pending invitation has this address. To check the address, list the operators.",
  });

const lastAdminRefusal = () =>
  new DomainError("conflict", {
    code: "last_admin",
    message: "This is the last admin. Give another operator the role admin first.",
  });
