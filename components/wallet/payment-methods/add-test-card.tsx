"use client";
import { useTranslations } from "use-intl";
import type { TestCardName } from "#server/accounts/payment-methods/test-cards.ts";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { textField } from "../../portal/acts/use-act.tsx";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button } from "../../ui/button.tsx";
import { Choice } from "../../ui/choice.tsx";
import styles from "./payment-methods.module.css";

/** Adds one of the simulator's cards. Each card always has the same outcome. */
export const AddTestCard = ({ email, cards }: { email: string; cards: readonly TestCardName[] }) => {
  const t = useTranslations("payment-methods");
  const stepUp = useStepUp(email, t("confirmAndAdd"));
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  const add = (form: FormData) =>
    run(() => trpc.wallet.addTestCard.mutate({ card: textField(form, "card") as TestCardName }));
  return (
    <>
      <Button variant="primary" size="small" onClick={open}>
        {t("addTestCard")}
      </Button>
      <ConfirmDialog
        {...dialog}
        stepUp={stepUp.dialog}
        title={t("testCardTitle")}
        confirmLabel={t("add")}
        fields={<TestCardFields cards={cards} />}
        onConfirm={add}
      >
        {t("testCardText")}
      </ConfirmDialog>
    </>
  );
};

const TestCardFields = ({ cards }: { cards: readonly TestCardName[] }) => {
  const t = useTranslations("payment-methods");
  return (
    <fieldset className={styles.cards}>
      <legend className="visuallyHidden">{t("testCardTitle")}</legend>
      {cards.map((name, index) => (
        <Choice key={name} type="radio" name="card" value={name} defaultChecked={index === 0}>
          <span className={styles.card}>
            {t(`cards.${name}`)}
            <span className="tiny muted">{t(`meanings.${name}`)}</span>
          </span>
        </Choice>
      ))}
    </fieldset>
  );
};
