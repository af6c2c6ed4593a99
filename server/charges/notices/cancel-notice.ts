import { appendAudit } from "../../data/audit/audit.ts";
import { type ChargeNoticeRow, findChargeNotice, updateNoticeCanceled } from "../../data/notices/charge-notices.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { noticeNotFound } from "./list-notices.ts";

type Input = { merchantId: string; clientId: string; requestId: string; noticeId: string };

/** Cancels a notice. A repeated call changes nothing. @throws DomainError not_found, notice_charged. */
export const cancelNotice = async (deps: Deps, input: Input): Promise<ChargeNoticeRow> => {
  const { merchantId, clientId, requestId, noticeId } = input;
  const notice = await findChargeNotice(deps.db.sql, noticeId);
  if (notice?.merchantId !== merchantId) throw noticeNotFound();
  const at = await deps.businessClock.now();
  await deps.db.sqlTransaction(async (sql) => {
    if (!(await updateNoticeCanceled(sql, { id: noticeId, at }))) return;
    await appendAudit(sql, {
      at,
      actor: { kind: "client", id: clientId },
      action: "charge_notice.canceled",
      subjectId: noticeId,
      requestId,
      data: { mandate_id: notice.mandateId },
    });
  });
  const present = (await findChargeNotice(deps.db.sql, noticeId)) ?? notice;
  if (present.chargeId !== null) throw chargedRefusal();
  return present;
};

const chargedRefusal = (): DomainError =>
  new DomainError("conflict", {
    code: "notice_charged",
    message: "The charge of this notice was already made. To return the money, refund the charge.",
  });
