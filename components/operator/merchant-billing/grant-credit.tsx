"use client";
import { type FormEvent, useState } from "react";
import { useTranslations } from "use-intl";
import type { OperatorMerchantBilling } from "#server/trpc/operator/billing/read-merchant-billing.ts";
import { ReasonField } from "../../portal/acts/reason-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { textField } from "../../portal/acts/use-act.tsx";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { AmountField, type Refused, readAmount } from "../../portal/forms/amount-field.tsx";
import styles from "../../portal/portal.module.css";
import { Button, SubmitButton } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog/dialog.tsx";
import { Field, Select } from "../../ui/field/field.tsx";
import { IfAllowed } from "../if-allowed.tsx";

type Props = { billing: OperatorMerchantBilling; email: string; locale: string };

/**
 * Grants a prepaid or promotional credit. Each opened dialog has a new idempotency key, so it grants at most one
 * credit.
 */
export const GrantCredit = ({ billing, email, locale }: Props) => {
  const stepUp = useStepUp(email, "Confirm and grant");
  const act = useConfirmDialog(stepUp.handleError);
  const [key, setKey] = useState("");
  const { isOpen, onClose } = act.dialog;
  const open = () => {
    setKey(crypto.randomUUID());
    act.open();
  };
  return (
    <IfAllowed action="merchant_billing.grant_credit">
      <Button size="small" onClick={open}>
        Grant credit
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={(isShown) => (isShown ? null : onClose())}
        title={`Grant a credit to ${billing.merchant.name}?`}
      >
        <GrantForm billing={billing} locale={locale} act={act} grantKey={key} />
        {isOpen ? stepUp.dialog : null}
      </Dialog>
    </IfAllowed>
  );
};

const effects = {
  prepaid: "The merchant has paid this amount in advance. It is booked as cash and deferred revenue.",
  promotional: "The amount is a gift. It is booked as a discount.",
} as const;

type FormProps = Omit<Props, "email"> & { act: ReturnType<typeof useConfirmDialog>; grantKey: string };

const GrantForm = ({ billing, locale, act, grantKey }: FormProps) => {
  const currencies = currenciesOf(billing);
  const [kind, setKind] = useState<keyof typeof effects>("prepaid");
  const [currency, setCurrency] = useState(currencies[0] ?? "EUR");
  const { refused, read } = useGrantAmount({ currency, locale });
  const { isBusy, notice, onClose } = act.dialog;
  const expiryProblem = act.problem?.fields["/expiresAt"] ?? null;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const amountMinor = read(textField(form, "amount"));
    if (amountMinor === null) return;
    const grant = { merchantId: billing.merchant.id, kind, currency, amountMinor, key: grantKey, ...detailsOf(form) };
    return act.run(() => trpc.operatorMerchantBilling.grantCredit.mutate(grant));
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <div className={styles.pair}>
        <Select
          label="Kind"
          name="kind"
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value as keyof typeof effects)}
        >
          <option value="prepaid">Prepaid</option>
          <option value="promotional">Promotional</option>
        </Select>
        <CurrencySelect currencies={currencies} value={currency} onSelect={setCurrency} />
      </div>
      <AmountField
        key={currency}
        label={`Amount in ${currency}`}
        name="amount"
        initialMinor={0}
        currency={currency}
        locale={locale}
        understood="You grant"
        hint="The credit is used only for invoices in this currency."
        beyond={() => null}
        refused={refused}
      />
      <TermFields expiryProblem={expiryProblem} />
      <ReasonField />
      <p className="small">{effects[kind]}</p>
      {expiryProblem ? null : notice}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <SubmitButton variant="primary" aria-busy={isBusy || undefined}>
          Grant credit
        </SubmitButton>
      </DialogActions>
    </form>
  );
};

/** The currencies of the subscription. Without a subscription, the currencies of all plans. */
const currenciesOf = ({ subscription, plans }: OperatorMerchantBilling): readonly string[] => {
  const all = subscription?.currencies ?? [...new Set(plans.flatMap(({ currencies }) => currencies))];
  return all.length > 0 ? all : ["EUR"];
};

const detailsOf = (form: FormData) => {
  const day = textField(form, "expires");
  return {
    priority: Number(textField(form, "priority") || "0"),
    expiresAt: day === "" ? null : `${day}T00:00:00Z`,
    reason: textField(form, "reason"),
  };
};

const useGrantAmount = (money: { currency: string; locale: string }) => {
  const amounts = useTranslations("amounts");
  const [refused, setRefused] = useState<Refused | null>(null);
  return {
    refused,
    /** @returns the amount in minor units, or null if the text isn't accepted. The field then shows why. */
    read: (text: string): number | null => {
      const amount = readAmount(text, money, amounts);
      setRefused(typeof amount === "string" ? { text, why: amount } : null);
      return typeof amount === "string" ? null : Number(amount);
    },
  };
};

const CurrencySelect = ({
  currencies,
  value,
  onSelect,
}: {
  currencies: readonly string[];
  value: string;
  onSelect: (currency: string) => void;
}) => (
  <Select label="Currency" name="currency" value={value} onChange={(event) => onSelect(event.currentTarget.value)}>
    {currencies.map((code) => (
      <option key={code} value={code}>
        {code}
      </option>
    ))}
  </Select>
);

const TermFields = ({ expiryProblem }: { expiryProblem: string | null }) => (
  <div className={styles.pair}>
    <Field
      label="Priority"
      name="priority"
      type="number"
      min={-1000}
      max={1000}
      step={1}
      defaultValue="0"
      hint="Credits with a lower number are used first."
    />
    <Field
      label="Expires"
      name="expires"
      type="date"
      error={expiryProblem}
      hint="At the start of this day (UTC). Leave it empty for no expiry."
    />
  </div>
);
