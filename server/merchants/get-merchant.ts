import { listPastActs, type PastAct } from "../audit/past-acts.ts";
import { findMerchant, listMerchantManagers, type MerchantRow } from "../data/merchants/merchants.ts";
import type { Deps } from "../deps/deps.ts";
import { noSuchMerchant } from "./set-suspension.ts";

export type MerchantForOperator = {
  merchant: MerchantRow;
  /** e-mail addresses of its owners and admins */
  managers: string[];
  /** newest first, from the audit log */
  history: PastAct[];
};

/** One merchant, with who looks after it and what was done to it. @throws DomainError not_found. */
export const getMerchant = async (
  deps: Pick<Deps, "db" | "clock" | "businessClock">,
  { merchantId }: { merchantId: string },
): Promise<MerchantForOperator> => {
  const merchant = await findMerchant(deps.db.sql, merchantId);
  if (!merchant) throw noSuchMerchant();
  return {
    merchant,
    managers: await listMerchantManagers(deps.db.sql, merchantId),
    history: await listPastActs(deps, { subjectId: merchantId, from: merchant.createdAt }),
  };
};
