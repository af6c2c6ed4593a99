"use client";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useTranslations } from "use-intl";
import { toTypedAmount } from "#server/kernel/money/typed-amount.ts";
import type { MerchantBudgetAlert } from "#server/trpc/merchant/billing/budgets/budget-views.ts";
import { trpc } from "../../../portal/acts/trpc-client.ts";
import { submittedForm, textField, useAct } from "../../../portal/acts/use-act.tsx";
import { ActForm } from "../../../portal/forms/act-form.tsx";
import { readAmount } from "../../../portal/forms/amount-field.tsx";
import portal from "../../../portal/portal.module.css";
import { Choice } from "../../../ui/choice.tsx";
import { Field, Select } from "../../../ui/field/field.tsx";

type Alert = Pick<MerchantBudgetAlert, "name" | "currency" | "amountMinor" | "percent" | "sendsMail" | "sendsWebhook">;

type Props = {
  merchantId: string;
  /** null: a new alert */
  alertId: string | null;
  /** null: the form has its default values */
  current: Alert | null;
  /** the plan's currencies; the first is the default */
  currencies: readonly string[];
  locale: string;
};

/** Creates or changes a budget alert. A refused form keeps what was typed. */
export const AlertForm = ({ merchantId, alertId, current, currencies, locale }: Props) => {
  const { isBusy, fields, notice, submit } = useAlertForm({ merchantId, alertId, locale });
  return (
    <ActForm
      isBusy={isBusy}
      submitLabel={alertId === null ? "Add alert" : "Save"}
      cancelHref="/merchant/billing/alerts"
      onSubmit={submit}
      noValidate
    >
      <Field
        label="Name"
        name="name"
        required
        maxLength={80}
        defaultValue={current?.name}
        hint="Shown in the e-mail and in the webhook."
        error={fields["/name"] ?? null}
      />
      <ThresholdFields current={current} currencies={currencies} locale={locale} errors={fields} />
      <fieldset className={portal.group}>
        <legend>Send the alert by</legend>
        <Choice type="checkbox" name="sendsMail" defaultChecked={current?.sendsMail ?? true}>
          E-mail to owners and admins
        </Choice>
        <Choice type="checkbox" name="sendsWebhook" defaultChecked={current?.sendsWebhook ?? true}>
          Webhook event budget_alert.triggered
        </Choice>
        <FieldProblem text={fields["/sendsMail"]} />
      </fieldset>
      {Object.keys(fields).length > 0 ? null : notice}
    </ActForm>
  );
};

type Errors = Readonly<Record<string, string>>;
type ThresholdProps = Pick<Props, "current" | "currencies" | "locale"> & { errors: Errors };

const ThresholdFields = ({ current, currencies, locale, errors }: ThresholdProps) => {
  const [isShare, setIsShare] = useState(current !== null && current.percent !== null);
  const currency = current?.currency ?? currencies[0] ?? "EUR";
  const amount = current && toTypedAmount({ amountMinor: BigInt(current.amountMinor), currency }, locale);
  return (
    <>
      <fieldset className={portal.group}>
        <legend>Threshold for the cost of a billing period</legend>
        <Choice type="radio" name="kind" value="amount" checked={!isShare} onChange={() => setIsShare(false)}>
          An amount
        </Choice>
        <Choice type="radio" name="kind" value="percent" checked={isShare} onChange={() => setIsShare(true)}>
          A percentage of a budget
        </Choice>
      </fieldset>
      <div className={portal.pair}>
        <Field
          label={isShare ? "Budget per period" : "Amount"}
          name="amount"
          inputMode="decimal"
          autoComplete="off"
          required
          defaultValue={amount ?? ""}
          error={errors["/amountMinor"] ?? null}
        />
        <Select label="Currency" name="currency" defaultValue={currency} error={errors["/currency"] ?? null}>
          {[...new Set([currency, ...currencies])].map((code) => (
            <option key={code}>{code}</option>
          ))}
        </Select>
      </div>
      {isShare ? (
        <Field
          label="Percentage"
          name="percent"
          inputMode="numeric"
          autoComplete="off"
          required
          defaultValue={current?.percent ?? 80}
          hint="A whole number from 1 to 1000."
          error={errors["/percent"] ?? null}
        />
      ) : null}
    </>
  );
};

const FieldProblem = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : (
    <p className="small" role="alert">
      {text}
    </p>
  );

const useAlertForm = ({ merchantId, alertId, locale }: Pick<Props, "merchantId" | "alertId" | "locale">) => {
  const router = useRouter();
  const t = useTranslations("amounts");
  const { isBusy, problem, notice, perform, showProblem } = useAct();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const form = submittedForm(event);
    const currency = textField(form, "currency");
    const amount = readAmount(textField(form, "amount"), { currency, locale }, t);
    const percent = form.get("kind") === "percent" ? Number(textField(form, "percent")) : null;
    const problems = {
      ...(typeof amount === "string" ? { "/amountMinor": amount } : {}),
      ...(percent !== null && !Number.isInteger(percent) ? { "/percent": "Enter a whole number from 1 to 1000." } : {}),
    };
    if (typeof amount === "string" || Object.keys(problems).length > 0) {
      return showProblem({ message: "", fields: problems });
    }
    const name = textField(form, "name");
    const channels = { sendsMail: form.has("sendsMail"), sendsWebhook: form.has("sendsWebhook") };
    const alert = { merchantId, name, currency, amountMinor: Number(amount), percent, ...channels };
    return perform(async () => {
      if (alertId === null) await trpc.merchantBudgets.create.mutate(alert);
      else await trpc.merchantBudgets.update.mutate({ alertId, ...alert });
      router.push("/merchant/billing/alerts");
      router.refresh();
    });
  };
  return { isBusy, fields: problem?.fields ?? {}, notice, submit };
};
