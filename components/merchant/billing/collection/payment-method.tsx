import type { MerchantPaymentMethod } from "#server/trpc/merchant/billing/collection/collection-views.ts";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { Notice } from "../../../ui/notice.tsx";

/** The payment method for the merchant's invoices. */
export const PaymentMethod = ({ method: { label, isDefault, hold, cards } }: { method: MerchantPaymentMethod }) => (
  <>
    {label === null ? null : (
      <Facts>
        <Fact name="Card">{label}</Fact>
        <Fact name="Used for">
          {isDefault ? "All invoices. This is the sandbox’s test card, because you haven’t set a card" : "All invoices"}
        </Fact>
      </Facts>
    )}
    {hold === "no_payment_method" && cards.length > 0 ? (
      <Notice tone="warn">No payment method is set. Open invoices wait until you set one.</Notice>
    ) : null}
    {hold !== null && cards.length === 0 ? (
      <Notice tone="note">
        Invoices can’t be paid by card here yet. Follow the payment instructions on the invoice.
      </Notice>
    ) : null}
  </>
);
