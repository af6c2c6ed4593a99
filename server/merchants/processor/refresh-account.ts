import { appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { listMerchantManagers } from "../../data/merchants/members.ts";
import type { MerchantRow } from "../../data/merchants/merchants.ts";
import {
  type ConnectedAccountRow,
  findAccountOfMerchant,
  recordAccountReport,
} from "../../data/merchants/processor-accounts.ts";
import type { Deps } from "../../deps/deps.ts";
import type { AccountReport } from "../../kernel/processor-account.ts";
import { merchantPageUrl } from "../../kernel/requests/merchant-page-url.ts";
import { queueMailToEach } from "../../platform/mail/queue-mail-to-all.ts";
import { getLockedMerchant } from "../get-locked-merchant.ts";
import { merchantNotFound } from "../merchant-not-found.ts";
import { goneReport, type ProcessorState, processorState } from "../rules/processor-state.ts";
import { accountsOf, accountUnavailable, isConnectable } from "./connectable.ts";

type Input = { merchantId: string; requestId: string };

const maxAttempts = 5;

/**
 * Asks the processor for the state of a merchant's account and records it. If another report was recorded in the
 * meantime, this report is discarded and requested again. So the report that was requested last is recorded last, and
 * events in any order lead to the current state.
 * @throws DomainError not_found; processor_not_configured; processor_unavailable: the state is unknown. Nothing was
 *   recorded then.
 */
export const refreshAccount = async (deps: Deps, { merchantId, requestId }: Input): Promise<ProcessorState> => {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const known = await findAccountOfMerchant(deps.db.sql, merchantId);
    if (!known) throw merchantNotFound();
    if (known.account === "" || !isConnectable(known)) return processorState(known);
    const answer = await accountsOf(deps, known.processor).read({ account: known.account });
    if (answer.kind === "unknown") throw accountUnavailable();
    const report = answer.kind === "gone" ? goneReport : answer.report;
    if (await record(deps, { known, report, requestId })) return processorState({ ...report, account: known.account });
  }
  throw accountUnavailable();
};

const record = (
  deps: Deps,
  { known, report, requestId }: { known: ConnectedAccountRow; report: AccountReport; requestId: string },
): Promise<boolean> =>
  deps.db.sqlTransaction(async (sql) => {
    const { merchantId, account, version } = known;
    const merchant = await getLockedMerchant(sql, merchantId);
    // An operator removed the account in the meantime.
    if (merchant.processorAccount !== account) return false;
    const at = deps.clock.now();
    if (!(await recordAccountReport(sql, { merchantId, report, version, at }))) return false;
    const [from, to] = [processorState(known), processorState({ ...report, account })];
    if (from !== to) {
      await appendAudit(sql, {
        at,
        actor: { kind: "system", id: "processor" },
        requestId,
        subjectId: merchantId,
        action: "merchant.processor_state_changed",
        data: { from, to, due: [...report.due], disabled_reason: report.disabledReason },
      });
      if ((from === "enabled") !== (to === "enabled")) {
        await notifyManagers(deps, sql, { merchant, isEnabled: to === "enabled", at, requestId });
      }
    }
    return true;
  });

const notifyManagers = async (
  deps: Pick<Deps, "clock" | "config">,
  sql: Sql,
  { merchant, isEnabled, at, requestId }: { merchant: MerchantRow; isEnabled: boolean; at: Date; requestId: string },
): Promise<void> => {
  const kind = isEnabled ? ("charges_enabled" as const) : ("charges_stopped" as const);
  const settingsUrl = merchantPageUrl(deps.config.walletUrl, merchant.id, "/settings");
  const content = (timeZone: string) => ({ kind, merchantName: merchant.displayName, at, timeZone, settingsUrl });
  const recipients = await listMerchantManagers(sql, merchant.id);
  await queueMailToEach(deps, sql, { recipients, content, requestId });
};
