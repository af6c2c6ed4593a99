import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import { endInvitation } from "../../data/merchants/invitations.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";

type Input = { merchantId: string; invitationId: string; actor: Actor; requestId: string };

/** Ends an open invitation: its link stops working. @throws DomainError not_found. */
export const cancelInvitation = (
  deps: Pick<Deps, "db" | "clock">,
  { merchantId, invitationId, actor, requestId }: Input,
): Promise<void> =>
  deps.db.sqlTransaction(async (sql) => {
    const at = deps.clock.now();
    if (!(await endInvitation(sql, { id: invitationId, merchantId, at }))) throw invitationNotFound();
    await appendAudit(sql, {
      at,
      actor,
      requestId,
      subjectId: merchantId,
      action: "merchant.invitation_cancelled",
      data: { invitation_id: invitationId },
    });
  });

export const invitationNotFound = (): DomainError =>
  new DomainError("not_found", {
    code: "not_found",
    message: "This invitation isn’t open any more. Reload the page.",
  });
