import type { OperatorMerchantDetail } from "#server/trpc/operator/operator-views.ts";
import styles from "../../portal/portal.module.css";
import { IfAllowed } from "../if-allowed.tsx";
import { CategorizeMerchant } from "./categorize-merchant.tsx";
import { ForgetAccount } from "./forget-account.tsx";
import { RemoveLogo } from "./remove-logo.tsx";
import { ReviewMerchant } from "./review-merchant.tsx";
import { SuspendMerchant } from "./suspend-merchant.tsx";

/** Actions of an operator on a merchant. */
export const MerchantActs = ({ merchant, email }: { merchant: OperatorMerchantDetail; email: string }) => {
  const target = { merchantId: merchant.id, name: merchant.name, email };
  return (
    <div className={styles.acts}>
      {merchant.review === "approved" ? null : (
        <IfAllowed action="registered_merchant.review">
          <ReviewMerchant {...target} review={merchant.review} version={merchant.version} />
        </IfAllowed>
      )}
      <IfAllowed action="registered_merchant.categorize">
        <CategorizeMerchant {...target} category={merchant.mcc} />
      </IfAllowed>
      {merchant.logo ? (
        <IfAllowed action="registered_merchant.remove_logo">
          <RemoveLogo {...target} hash={merchant.logo.hash} />
        </IfAllowed>
      ) : null}
      {merchant.account.state === "disconnected" ? (
        <IfAllowed action="registered_merchant.forget_account">
          <ForgetAccount {...target} />
        </IfAllowed>
      ) : null}
      {merchant.review === "approved" ? (
        <IfAllowed action="registered_merchant.suspend">
          <SuspendMerchant {...target} isSuspended={merchant.suspendedAt !== null} />
        </IfAllowed>
      ) : null}
    </div>
  );
};
