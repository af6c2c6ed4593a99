import type { OperatorMerchant } from "#server/trpc/operator/operator-views.ts";
import styles from "../../portal/portal.module.css";
import { IfAllowed } from "../if-allowed.tsx";
import { CategorizeMerchant } from "./categorize-merchant.tsx";
import { ReviewMerchant } from "./review-merchant.tsx";
import { SuspendMerchant } from "./suspend-merchant.tsx";

/** Actions of an operator on a merchant. */
export const MerchantActs = ({ merchant, email }: { merchant: OperatorMerchant; email: string }) => {
  const target = { merchantId: merchant.id, name: merchant.name, email };
  return (
    <div className={styles.acts}>
      <IfAllowed action="registered_merchant.categorize">
        <CategorizeMerchant {...target} category={merchant.mcc} />
      </IfAllowed>
      {merchant.review === "approved" ? (
        <IfAllowed action="registered_merchant.suspend">
          <SuspendMerchant {...target} isSuspended={merchant.suspendedAt !== null} />
        </IfAllowed>
      ) : (
        <IfAllowed action="registered_merchant.review">
          <ReviewMerchant {...target} review={merchant.review} />
        </IfAllowed>
      )}
    </div>
  );
};
