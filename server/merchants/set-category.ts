import { type Actor, appendAudit } from "../data/audit/audit.ts";
import { updateMerchantCategory } from "../data/merchants/merchants.ts";
import type { Deps } from "../deps/deps.ts";
import { getLockedMerchant } from "./get-locked-merchant.ts";

type Input = { merchantId: string; category: string; reason: string; actor: Actor; requestId: string };

/**
 * Sets the category of a merchant (a code of ISO 18245). It applies to every payment after this call returns. Setting
 * the current category again changes nothing.
 * @throws DomainError not_found.
 */
export const setCategory = (
  deps: Pick<Deps, "db" | "clock">,
  { merchantId, category, reason, actor, requestId }: Input,
): Promise<{ isNew: boolean }> =>
  deps.db.sqlTransaction(async (sql) => {
    const merchant = await getLockedMerchant(sql, merchantId);
    if (merchant.mcc === category) return { isNew: false };
    await updateMerchantCategory(sql, merchantId, category);
    await appendAudit(sql, {
      at: deps.clock.now(),
      actor,
      requestId,
      subjectId: merchantId,
      action: "merchant.category_changed",
      data: { from: merchant.mcc, to: category, reason },
    });
    return { isNew: true };
  });
