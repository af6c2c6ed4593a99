"use client";
import { useState } from "react";
import type { OperatorMerchantBilling } from "#server/trpc/operator/billing/read-merchant-billing.ts";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { ReasonField } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { textField } from "../../portal/acts/use-act.tsx";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import styles from "../../portal/portal.module.css";
import { Button } from "../../ui/button.tsx";
import { Field, Select } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { IfAllowed } from "../if-allowed.tsx";

type Props = { billing: OperatorMerchantBilling; email: string };

/** The components whose meters have SLA credits. */
const components = {
  authorization_server: "Authorization server",
  wallet_portal: "Wallet portal",
  billing_engine: "Billing engine",
} as const;

/** Adds a further SLA credit. Each opened dialog has a new idempotency key, so it adds at most one credit. */
export const AddSlaCredit = ({ billing, email }: Props) => {
  const { merchant, subscription } = billing;
  const stepUp = useStepUp(email, "Confirm and add");
  const { open, dialog, run, problem } = useConfirmDialog(stepUp.handleError);
  const [key, setKey] = useState("");
  const monthProblem = problem?.fields["/month"] ?? null;
  const amountProblem = problem?.fields["/exact"] ?? null;
  const add = (form: FormData) => {
    const text = (name: string) => textField(form, name);
    return run(() =>
      trpc.operatorMerchantBilling.addSlaCredit.mutate({
        merchantId: merchant.id,
        component: text("component"),
        month: text("month"),
        currency: text("currency"),
        exact: text("exact"),
        key,
        reason: text("reason"),
      }),
    );
  };
  return (
    <IfAllowed action="merchant_billing.add_sla_credit">
      <Button
        size="small"
        onClick={() => {
          setKey(crypto.randomUUID());
          open();
        }}
      >
        Add SLA credit
      </Button>
      <ConfirmDialog
        {...dialog}
        notice={monthProblem || amountProblem ? null : dialog.notice}
        stepUp={stepUp.dialog}
        title={`Add an SLA credit for ${merchant.name}?`}
        confirmLabel="Add SLA credit"
        fields={
          <>
            <CreditFields
              currencies={subscription?.currencies ?? []}
              monthProblem={monthProblem}
              amountProblem={amountProblem}
            />
            <ReasonField />
          </>
        }
        onConfirm={add}
      >
        The credit is added to the SLA credits of the month and can’t be changed. The next invoice that is issued in
        this currency includes it.
      </ConfirmDialog>
    </IfAllowed>
  );
};

type FieldProps = { currencies: readonly string[]; monthProblem: string | null; amountProblem: string | null };

const CreditFields = ({ currencies, monthProblem, amountProblem }: FieldProps) => (
  <>
    <div className={styles.pair}>
      <Select label="Component" name="component">
        <Options labels={components} />
      </Select>
      <Field
        label="Month"
        name="month"
        required
        pattern="[0-9]{4}-(0[1-9]|1[0-2])"
        placeholder="2026-10"
        autoComplete="off"
        error={monthProblem}
        hint="Year and month in UTC, for example 2026-10."
      />
    </div>
    <div className={styles.pair}>
      <Select label="Currency" name="currency">
        {currencies.map((code) => (
          <option key={code} value={code}>
            {code}
          </option>
        ))}
      </Select>
      <Field
        label="Amount in minor units"
        name="exact"
        required
        inputMode="decimal"
        pattern="[0-9]{1,15}(\.[0-9]{1,12})?"
        autoComplete="off"
        error={amountProblem}
        hint="With at most 12 decimals. 1250.5 in EUR is €12.505."
      />
    </div>
  </>
);
