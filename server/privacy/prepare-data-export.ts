import { findAccountById } from "../data/accounts/accounts.ts";
import { appendAudit } from "../data/audit/audit.ts";
import { claimDataExport, completeDataExport } from "../data/privacy/data-exports.ts";
import type { Deps } from "../deps/deps.ts";
import { addSeconds } from "../kernel/time/clock.ts";
import { queueMail } from "../platform/mail/queue-mail.ts";
import { writeExportContent } from "./export-content.ts";
import { exportSeconds } from "./rules/periods.ts";

/** Longer than the largest export takes. After this time, another worker prepares the export from the start. */
const leaseSeconds = 300;

/**
 * Prepares the oldest open export and sends the payer an e-mail when it is ready. Any number of workers may call this
 * concurrently: each export is completed once. @returns whether an export was open.
 */
export const prepareDataExport = async (deps: Deps): Promise<boolean> => {
  const startedAt = deps.clock.now();
  const claimed = await claimDataExport(deps.db.sql, {
    now: startedAt,
    leaseUntil: addSeconds(startedAt, leaseSeconds),
  });
  if (!claimed) return false;
  const { id, accountId } = claimed;
  const content = await writeExportContent(deps, claimed);
  const now = deps.clock.now();
  const expiresAt = addSeconds(now, exportSeconds);
  await deps.db.transaction(async (tx) => {
    if (!(await completeDataExport(tx, { id, content, now, expiresAt }))) return;
    const account = await findAccountById(tx, accountId);
    const requestId = id;
    const actor = { kind: "system", id: "prepare-data-exports" } as const;
    await appendAudit(tx.sql, { at: now, actor, action: "data_export.prepared", subjectId: id, requestId });
    if (!account || account.deletedAt) return;
    const { email, locale, timeZone } = account;
    const downloadUrl = `${deps.config.walletUrl}/wallet/privacy`;
    const ready = { kind: "data_export_ready", downloadUrl, expiresAt, reader: { locale, timeZone } } as const;
    await queueMail(deps, tx.sql, { recipient: email, content: ready, requestId });
  });
  return true;
};
