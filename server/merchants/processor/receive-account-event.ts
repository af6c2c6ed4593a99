import { findMerchantOfAccount } from "../../data/merchants/processor-accounts.ts";
import type { Deps } from "../../deps/deps.ts";
import { refreshAccount } from "./refresh-account.ts";

/**
 * A processor reports that an account changed. The content of the event isn't used: the current state is requested
 * from the processor. Accounts of other platforms are ignored. Accounts that aren't recorded yet are ignored too: their
 * state is read when the merchant returns.
 * @throws DomainError those of `refreshAccount`; the processor then sends the event again.
 */
export const receiveAccountEvent = async (
  deps: Deps,
  { processor, account, requestId }: { processor: string; account: string; requestId: string },
): Promise<void> => {
  const merchantId = await findMerchantOfAccount(deps.db.sql, processor, account);
  if (merchantId !== null) await refreshAccount(deps, { merchantId, requestId });
};
