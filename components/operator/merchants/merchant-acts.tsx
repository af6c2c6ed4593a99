import type { OperatorMerchant } from "#server/trpc/operator/operator-views.ts";
import styles from "../../portal/portal.module.css";
import { CategorizeMerchant } from "./categorize-merchant.tsx";
import { SuspendMerchant } from "./suspend-merchant.tsx";

/** Actions of an operator on a merchant. */
export const MerchantActs = ({ merchant, email }: { merchant: OperatorMerchant; email: string }) => {
  const target = { merchantId: merchant.id, name: merchant.name, email };
  return (
    <div className={styles.acts}>
      <CategorizeMerchant {...target} category={merchant.mcc} />
      <SuspendMerchant {...target} isSuspended={merchant.suspendedAt !== null} />
    </div>
  );
};
