import { listPastActs, type PastAct } from "../audit/past-acts.ts";
import { listMerchantManagers } from "../data/merchants/members.ts";
import { findMerchantLogoHash } from "../data/merchants/merchant-logos.ts";
import { findMerchant, type MerchantRow } from "../data/merchants/merchants.ts";
import type { Deps } from "../deps/deps.ts";
import { merchantNotFound } from "./merchant-not-found.ts";
import { getProcessorAccount, type ProcessorAccount } from "./processor/get-processor-account.ts";
import { settingsVersion } from "./settings/settings-version.ts";

export type MerchantForOperator = {
  merchant: MerchantRow;
  /** version of the details, for a decision about the merchant */
  version: string;
  /** null: the merchant has no logo */
  logoHash: string | null;
  account: ProcessorAccount;
  /** e-mail addresses of the owners and admins */
  managers: string[];
  /** newest first, from the audit log */
  history: PastAct[];
};

/** A merchant with its managers and its history. @throws DomainError not_found. */
export const getMerchant = async (
  deps: Pick<Deps, "db" | "clock" | "businessClock">,
  { merchantId }: { merchantId: string },
): Promise<MerchantForOperator> => {
  const merchant = await findMerchant(deps.db.sql, merchantId);
  if (!merchant) throw merchantNotFound();
  const [account, logoHash, managers, history] = await Promise.all([
    getProcessorAccount(deps, { merchantId }),
    findMerchantLogoHash(deps.db.sql, merchantId),
    listMerchantManagers(deps.db.sql, merchantId),
    listPastActs(deps, { subjectId: merchantId, from: merchant.createdAt }),
  ]);
  return {
    merchant,
    version: settingsVersion(merchant, "details"),
    logoHash,
    account,
    managers: managers.map(({ email }) => email),
    history,
  };
};
