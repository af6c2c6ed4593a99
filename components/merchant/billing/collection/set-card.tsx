"use client";
import type { MerchantPaymentMethod } from "#server/trpc/merchant/billing/collection/collection-views.ts";
import { ConfirmDialog } from "../../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../../portal/acts/trpc-client.ts";
import { textField } from "../../../portal/acts/use-act.tsx";
import { useConfirmDialog } from "../../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../../portal/acts/use-step-up.tsx";
import styles from "../../../portal/portal.module.css";
import { Button } from "../../../ui/button.tsx";
import { Choice } from "../../../ui/choice.tsx";

type CardName = MerchantPaymentMethod["cards"][number];

const cardTexts: Readonly<Record<CardName, string>> = {
  visa: "Visa ending in 4242: payments succeed",
  mastercard: "Mastercard ending in 4444: payments succeed",
  american_express: "American Express ending in 8431: payments succeed",
  declined: "Visa ending in 0002: the bank declines each payment",
  insufficient_funds: "Visa ending in 9995: declined because of insufficient funds",
  authentication_required: "Visa ending in 3184: declined because the bank requires a confirmation",
};

type Props = { merchantId: string; cards: readonly CardName[]; isSet: boolean; email: string };

/**
 * Sets one of the simulator's cards. Paygrant then tries to pay all open invoices with this card.
 * @param isSet a card is shown, which can be the sandbox's own. @param email of the signed-in member
 */
export const SetCard = ({ merchantId, cards, isSet, email }: Props) => {
  const stepUp = useStepUp(email, "Confirm and change");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  const set = (form: FormData) =>
    run(() => trpc.merchantCollection.setMethod.mutate({ merchantId, card: textField(form, "card") as CardName }));
  return (
    <>
      <Button size="small" onClick={open}>
        {isSet ? "Change card" : "Set card"}
      </Button>
      <ConfirmDialog
        {...dialog}
        stepUp={stepUp.dialog}
        title={isSet ? "Change the card for invoices" : "Set a card for invoices"}
        confirmLabel="Use this card"
        fields={
          <fieldset className={styles.group}>
            <legend className="visuallyHidden">Card</legend>
            {cards.map((name, index) => (
              <Choice key={name} type="radio" name="card" value={name} defaultChecked={index === 0}>
                {cardTexts[name]}
              </Choice>
            ))}
          </fieldset>
        }
        onConfirm={set}
      >
        Paygrant tries to pay open invoices with this card immediately. Test cards move no real money, and each card
        always gives the same result.
      </ConfirmDialog>
    </>
  );
};
