import type { OperatorMerchant } from "#server/trpc/operator/operator-views.ts";
import styles from "../../portal/portal.module.css";
import { CategorizeMerchant } from "./categorize-merchant.tsx";
import { SuspendMerchant } from "./suspend-merchant.tsx";

/** What an operator may do to a merchant. */
export const MerchantActs = ({ merchant, email }: { merchant: OperatorMerchant; email: string }) => {
  const which = { merchantId: merchant.id, name: merchant.name, email };
  return (
    <div className={styles.acts}>
      <CategorizeMerchant {...which} category={merchant.mcc} />
      <SuspendMerchant {...which} isSuspended={merchant.suspendedAt !== null} />
    </div>
  );
};
