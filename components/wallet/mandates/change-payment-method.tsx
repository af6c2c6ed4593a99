"use client";
import { useTranslations } from "use-intl";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { textField } from "../../portal/acts/use-act.tsx";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field/field.tsx";
import { Link } from "../../ui/link.tsx";

/** Chooses another payment method for a mandate. @param methods the payer's other methods */
export const ChangePaymentMethod = ({
  mandateId,
  methods,
  email,
}: {
  mandateId: string;
  methods: readonly { id: string; label: string }[];
  email: string;
}) => {
  const t = useTranslations("mandates.acts");
  const stepUp = useStepUp(email, t("confirmChange"));
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  if (methods.length === 0) {
    return (
      <span className="tiny">
        {t("noOther")} <Link href="/wallet/payment-methods">{t("addMethod")}</Link>
      </span>
    );
  }
  const change = (form: FormData) =>
    run(() => trpc.wallet.changePaymentMethod.mutate({ mandateId, paymentMethodId: textField(form, "method") }));
  return (
    <>
      <Button size="small" aria-label={t("changeMethod")} onClick={open}>
        {t("change")}
      </Button>
      <ConfirmDialog
        {...dialog}
        stepUp={stepUp.dialog}
        title={t("changeTitle")}
        confirmLabel={t("changeIt")}
        onConfirm={change}
        fields={
          <Select label={t("method")} name="method" required>
            {methods.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </Select>
        }
      >
        {t("changeHint")}
      </ConfirmDialog>
    </>
  );
};
