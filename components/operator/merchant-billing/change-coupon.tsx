"use client";
import type { OperatorMerchantBilling } from "#server/trpc/operator/billing/read-merchant-billing.ts";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { ReasonDialog, ReasonField } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { textField } from "../../portal/acts/use-act.tsx";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import { IfAllowed } from "../if-allowed.tsx";

type ApplyProps = { merchantId: string; offered: OperatorMerchantBilling["offeredCoupons"]; email: string };

export const ApplyCoupon = ({ merchantId, offered, email }: ApplyProps) => {
  const stepUp = useStepUp(email, "Confirm and apply");
  const { open, dialog, run, problem } = useConfirmDialog(stepUp.handleError);
  const codeProblem = problem?.fields["/code"] ?? null;
  const apply = (form: FormData) => {
    const input = { merchantId, code: textField(form, "code"), reason: textField(form, "reason") };
    return run(() => trpc.operatorMerchantBilling.applyCoupon.mutate(input));
  };
  return (
    <IfAllowed action="merchant_billing.change_coupon">
      <Button size="small" onClick={open}>
        Apply coupon
      </Button>
      <ConfirmDialog
        {...dialog}
        notice={codeProblem ? null : dialog.notice}
        stepUp={stepUp.dialog}
        title="Apply a coupon?"
        confirmLabel="Apply coupon"
        fields={
          <>
            <Field
              label="Code"
              name="code"
              required
              maxLength={64}
              autoComplete="off"
              list="offered-coupons"
              error={codeProblem}
              hint="Codes are case-sensitive."
            />
            <datalist id="offered-coupons">
              {offered.map(({ code, percent, amount }) => (
                <option key={code} value={code}>
                  {percent === null ? (amount ? `fixed amount in ${amount.currency}` : "") : `${percent}%`}
                </option>
              ))}
            </datalist>
            <ReasonField />
          </>
        }
        onConfirm={apply}
      >
        The coupon applies to the current period and to later ones, until it ends or you remove it.
      </ConfirmDialog>
    </IfAllowed>
  );
};

export const RemoveCoupon = ({ merchantId, code, email }: { merchantId: string; code: string; email: string }) => {
  const stepUp = useStepUp(email, "Confirm and remove");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  return (
    <IfAllowed action="merchant_billing.change_coupon">
      <Button size="small" onClick={open} aria-label={`Remove ${code}`}>
        Remove
      </Button>
      <ReasonDialog
        {...dialog}
        stepUp={stepUp.dialog}
        title={`Remove ${code}?`}
        confirmLabel="Remove coupon"
        onConfirm={(reason) =>
          run(() => trpc.operatorMerchantBilling.removeCoupon.mutate({ merchantId, code, reason }))
        }
      >
        The coupon won’t apply to the current period or to later ones. Invoices of ended periods keep it.
      </ReasonDialog>
    </IfAllowed>
  );
};
