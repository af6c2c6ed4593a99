import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { findParticipant } from "../../data/directory/participants.ts";
import type { TransferOutcome, TransferRow } from "../../data/directory/transfers/participant-transfers.ts";
import { listMerchantManagers } from "../../data/merchants/members.ts";
import { findMerchant } from "../../data/merchants/merchants.ts";
import type { Deps } from "../../deps/deps.ts";
import { merchantPageUrl } from "../../kernel/requests/merchant-page-url.ts";
import { queueMailToEach } from "../../platform/mail/queue-mail-to-all.ts";

type Step = "offered" | TransferOutcome;

type Report = {
  transfer: TransferRow;
  step: Step;
  actor: Actor;
  at: Date;
  requestId: string;
  /** for both audit logs */
  data?: Readonly<Record<string, string | number>>;
};

/**
 * Records a step of a transfer in the audit logs of both merchants, and informs the owners and admins of both, in the
 * transaction of the step.
 */
export const reportTransfer = async (
  deps: Pick<Deps, "config" | "clock">,
  sql: Sql,
  { transfer, step, actor, at, requestId, data = {} }: Report,
): Promise<void> => {
  const { id, participantId, fromMerchantId, toMerchantId, expiresAt } = transfer;
  const sides = { from: fromMerchantId, to: toMerchantId } as const;
  const entry = await findParticipant(sql, participantId);
  const [from, to] = [await findMerchant(sql, fromMerchantId), await findMerchant(sql, toMerchantId)];
  const names = { entryId: participantId, fromName: from?.displayName ?? "", toName: to?.displayName ?? "" };
  const actingSide = step === "offered" || step === "cancelled" ? "from" : "to";
  for (const side of ["from", "to"] as const) {
    await appendAudit(sql, {
      at,
      // The other merchant doesn't learn which member acted.
      actor: actor.kind === "merchant" && side !== actingSide ? { ...actor, id: sides[actingSide] } : actor,
      requestId,
      action: step === "accepted" ? "participant.transferred" : `participant.transfer_${step}`,
      subjectId: participantId,
      data: { merchant_id: sides[side], transfer_id: id, from: fromMerchantId, to: toMerchantId, ...data },
    });
    const pageUrl = merchantPageUrl(deps.config.walletUrl, sides[side], "/directory");
    const recipients = await listMerchantManagers(sql, sides[side]);
    // After the transfer, the entry has the name of its new owner.
    const participantName = step === "accepted" ? names.fromName : (entry?.displayName ?? "");
    const content = (timeZone: string) => {
      const about = { side, participantName, ...names, pageUrl, timeZone };
      return step === "offered"
        ? ({ kind: "entry_transfer_offered", ...about, expiresAt } as const)
        : ({ kind: "entry_transfer_ended", outcome: step, ...about, at } as const);
    };
    await queueMailToEach(deps, sql, { recipients, content, requestId });
  }
};
