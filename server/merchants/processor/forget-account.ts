import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import { clearDisconnectedAccount } from "../../data/merchants/processor-accounts.ts";
import type { Deps } from "../../deps/deps.ts";
import { getLockedMerchant } from "../get-locked-merchant.ts";
import { disconnected } from "../rules/processor-state.ts";
import { refreshAccount } from "./refresh-account.ts";

type Input = { merchantId: string; reason: string; actor: Actor; requestId: string };

/**
 * An operator lets a merchant connect a new account, because the old one was disconnected at the processor or deleted.
 * The processor is asked first, and an account that it still reports on is kept. Charges keep the account that they
 * used.
 * @throws DomainError not_found; processor_not_configured; processor_unavailable: the state is unknown.
 */
export const forgetAccount = async (
  deps: Deps,
  { merchantId, reason, actor, requestId }: Input,
): Promise<{ isNew: boolean }> => {
  if ((await refreshAccount(deps, { merchantId, requestId })) !== "disconnected") return { isNew: false };
  return deps.db.sqlTransaction(async (sql) => {
    const { processorAccount: account } = await getLockedMerchant(sql, merchantId);
    if (!(await clearDisconnectedAccount(sql, { merchantId, account, disabledReason: disconnected }))) {
      return { isNew: false };
    }
    await appendAudit(sql, {
      at: deps.clock.now(),
      actor,
      requestId,
      subjectId: merchantId,
      action: "merchant.processor_account_forgotten",
      data: { account, reason },
    });
    return { isNew: true };
  });
};
