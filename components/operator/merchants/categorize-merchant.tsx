"use client";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { ReasonField } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { textField } from "../../portal/acts/use-act.tsx";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field/field.tsx";

type Props = { merchantId: string; name: string; category: string; email: string };

/** Changes the category of a merchant. The category decides which mandates the merchant can use. */
export const CategorizeMerchant = ({ merchantId, name, category, email }: Props) => {
  const stepUp = useStepUp(email, "Confirm and change");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  const change = (form: FormData) => {
    const input = { merchantId, category: textField(form, "category"), reason: textField(form, "reason") };
    return run(() => trpc.operatorMerchants.categorize.mutate(input));
  };
  return (
    <>
      <Button size="small" onClick={open}>
        Change category
      </Button>
      <ConfirmDialog
        {...dialog}
        stepUp={stepUp.dialog}
        title={`Change the category of ${name}?`}
        confirmLabel="Change category"
        fields={
          <>
            <Field
              label="Category"
              name="category"
              defaultValue={category}
              required
              pattern="[0-9]{4}"
              maxLength={4}
              inputMode="numeric"
              hint="A four-digit merchant category code (ISO 18245)."
            />
            <ReasonField />
          </>
        }
        onConfirm={change}
      >
        Mandates can allow all merchants of a category. The change applies immediately: mandates for the old category
        refuse this merchant, and mandates for the new category accept it.
      </ConfirmDialog>
    </>
  );
};
