import { ensureStatusLists } from "../../../../credentials/status-lists/publish-status-lists.ts";
import { findDueWork } from "../../../../data/jobs/due-work.ts";
import { checkRefundsTick } from "../../../../jobs/charges/check-refunds.ts";
import { reconcileChargesTick } from "../../../../jobs/charges/reconcile-charges.ts";
import { reconcileDisputesTick } from "../../../../jobs/charges/reconcile-disputes.ts";
import { reconcileRefundsTick } from "../../../../jobs/charges/reconcile-refunds.ts";
import { sumChargesTick } from "../../../../jobs/charges/sum-charges.ts";
import type { Tick } from "../../../../jobs/job.ts";
import { expireMandatesTick } from "../../../../jobs/mandates/expire-mandates.ts";
import { publishStatusListsTick } from "../../../../jobs/mandates/publish-status-lists.ts";
import { withdrawCredentialsTick } from "../../../../jobs/mandates/withdraw-credentials.ts";
import { dispatchEventsTick } from "../../../../jobs/messages/dispatch-events.ts";
import { queueMailBatchesTick } from "../../../../jobs/messages/queue-mail-batches.ts";
import { createSendMailTick } from "../../../../jobs/messages/send-mail.ts";
import { createSendWebhooksTick } from "../../../../jobs/messages/send-webhooks.ts";
import { forgetRefreshSuccessorsTick } from "../../../../jobs/oauth/forget-refresh-successors.ts";
import { chainAuditTick } from "../../../../jobs/upkeep/chain-audit.ts";
import { deleteExpiredRows } from "../../../../jobs/upkeep/delete-expired-rows.ts";
import { type Act, type Acts, at } from "./act.fixture.ts";
import { pay } from "./payments.fixture.ts";

/** Work after a charge: its events, deliveries, e-mails and sums. */
const afterCharge =
  (tick: Tick): Act =>
  async (actors) => {
    await pay(actors);
    return () => tick.run(actors.deps);
  };

const sendWebhooks: Act = async (actors) => {
  await pay(actors);
  await dispatchEventsTick.run(actors.deps);
  const tick = createSendWebhooksTick();
  return async () => {
    await tick.run(actors.deps);
    await tick.end?.();
  };
};

/** What workers do, in the order in which the work of one leads to that of the next. */
export const workActs: Acts = {
  "due work": at(({ deps }) => findDueWork(deps.db.sql, deps.clock.now())),
  "dispatch events": afterCharge(dispatchEventsTick),
  "send webhooks": sendWebhooks,
  "sum charges": afterCharge(sumChargesTick),
  "queue e-mails": at(({ deps }) => queueMailBatchesTick.run(deps)),
  "send e-mails": at(({ deps }) => createSendMailTick(deps.config).run(deps)),
  "reconcile charges": at(({ deps }) => reconcileChargesTick.run(deps)),
  "reconcile refunds": at(({ deps }) => reconcileRefundsTick.run(deps)),
  "reconcile disputes": at(({ deps }) => reconcileDisputesTick.run(deps)),
  "check refunds": at(({ deps }) => checkRefundsTick.run(deps)),
  "expire mandates": at(({ deps }) => expireMandatesTick.run(deps)),
  "publish status lists": async ({ deps }) => {
    await ensureStatusLists(deps);
    return () => publishStatusListsTick.run(deps);
  },
  "withdraw credentials": at(({ deps }) => withdrawCredentialsTick.run(deps)),
  "forget refresh successors": at(({ deps }) => forgetRefreshSuccessorsTick.run(deps)),
  "delete expired rows": at(({ deps }) => deleteExpiredRows(deps)),
  "chain the audit log": at(({ deps }) => chainAuditTick.run(deps)),
};
