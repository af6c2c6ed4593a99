import type { MerchantPaymentDetail } from "#server/trpc/merchant/payment-views.ts";
import { describePending, isPendingPayment } from "../../format/labels/payment-labels.ts";
import { RefreshWhileVisible } from "../../portal/refresh-while-visible.tsx";
import { Notice } from "../../ui/notice.tsx";

/** While a result is expected: says what is in progress, and refreshes the page. */
export const PendingPayment = ({ payment }: { payment: MerchantPaymentDetail }) => {
  if (!isPendingPayment(payment)) return null;
  const text = describePending(payment);
  return (
    <>
      <RefreshWhileVisible everyMilliseconds={5_000} />
      {text === null ? null : (
        <Notice tone="note" isLive>
          {text}
        </Notice>
      )}
    </>
  );
};
