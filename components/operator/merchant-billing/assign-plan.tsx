"use client";
import { useState } from "react";
import type { OperatorMerchantBilling } from "#server/trpc/operator/billing/read-merchant-billing.ts";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { ReasonField } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { textField } from "../../portal/acts/use-act.tsx";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field/field.tsx";
import { IfAllowed } from "../if-allowed.tsx";

type Props = { billing: OperatorMerchantBilling; email: string };

/** Assigns the version of a plan that is in effect. */
export const AssignPlan = ({ billing, email }: Props) => {
  const { merchant, plans, subscription } = billing;
  const stepUp = useStepUp(email, "Confirm and assign");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  const [planId, setPlanId] = useState(plans[0]?.id ?? "");
  const assign = (form: FormData) => {
    const currency = textField(form, "currency");
    const input = { merchantId: merchant.id, planId, version: null, currency, reason: textField(form, "reason") };
    return run(() => trpc.operatorMerchantBilling.assignPlan.mutate(input));
  };
  if (plans.length === 0) return null;
  return (
    <IfAllowed action="merchant_billing.assign_plan">
      <Button size="small" onClick={open}>
        Assign plan
      </Button>
      <ConfirmDialog
        {...dialog}
        stepUp={stepUp.dialog}
        title={`Assign a plan to ${merchant.name}?`}
        confirmLabel="Assign plan"
        fields={
          <>
            <Select label="Plan" name="plan" value={planId} onChange={(event) => setPlanId(event.currentTarget.value)}>
              {plans.map(({ id, name, version, state }) => (
                <option key={id} value={id}>
                  {name}, version {version}
                  {state === "hidden" ? " (hidden)" : ""}
                </option>
              ))}
            </Select>
            <Select label="Currency of fees" name="currency" key={planId}>
              {(plans.find(({ id }) => id === planId)?.currencies ?? []).map((currency) => (
                <option key={currency} value={currency}>
                  {currency}
                </option>
              ))}
            </Select>
            <ReasonField />
          </>
        }
        onConfirm={assign}
      >
        {subscription && subscription.status !== "cancelled"
          ? "The new plan applies from the start of today. If the current period started before today, an invoice covers the time before today under the old plan. A pending plan change is replaced."
          : "The first period starts today."}
      </ConfirmDialog>
    </IfAllowed>
  );
};
