import type { MerchantPaymentMethod } from "#server/trpc/merchant/billing/collection/collection-views.ts";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { Notice } from "../../../ui/notice.tsx";

/** The payment method for the merchant's invoices. */
export const PaymentMethod = ({ method }: { method: MerchantPaymentMethod }) => (
  <>
    <CardFacts method={method} />
    <HoldNotice method={method} />
    {method.isCardAccepted ? (
      <p className="small muted">
        Cards are entered on Stripe’s page. Paygrant tries to pay open invoices with a new card immediately.
      </p>
    ) : null}
  </>
);

const CardFacts = ({ method: { label, isDefault } }: { method: MerchantPaymentMethod }) =>
  label === null ? null : (
    <Facts>
      <Fact name="Card">{label}</Fact>
      <Fact name="Used for">
        {isDefault ? "All invoices. This is the sandbox’s test card, because you haven’t set a card." : "All invoices"}
      </Fact>
    </Facts>
  );

const HoldNotice = ({ method: { label, hold, cards, isCardAccepted } }: { method: MerchantPaymentMethod }) => {
  if (hold === null) return null;
  if (cards.length === 0 && !isCardAccepted) {
    return (
      <Notice tone="note">
        Invoices can’t be paid by card here yet. To pay one, write to the e-mail address at the bottom of its PDF.
      </Notice>
    );
  }
  return (
    <Notice tone="warn">
      {label === null
        ? "You haven’t set a payment method. Set one to pay your open invoices."
        : "This card can’t be used here any more. Set another card to pay your open invoices."}
    </Notice>
  );
};
