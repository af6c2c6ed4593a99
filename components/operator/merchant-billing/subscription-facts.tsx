import { countryName } from "#server/kernel/text/place-name.ts";
import type { OperatorMerchantBilling } from "#server/trpc/operator/billing/read-merchant-billing.ts";
import { formatDateTime } from "../../format/dates.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { formatBilledPeriod } from "../../merchant/billing/billed-period.ts";
import { subscriptionStatusLabels } from "../../merchant/billing/subscription-labels.ts";
import { listAddress } from "../../portal/lists/list-address.ts";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Link } from "../../ui/link.tsx";
import { Pill } from "../../ui/pill.tsx";
import { invoicesPath } from "../invoices/invoice-tabs.tsx";
import { WithdrawPlanChange } from "./withdraw-change.tsx";

type Subscription = NonNullable<OperatorMerchantBilling["subscription"]>;

/** A debit balance is owed by the merchant, a credit balance by the service. */
const balances = [
  ["receivable", "Unpaid", 1],
  ["customer_credit", "Credit balance", -1],
  ["prepaid", "Prepaid and promotional credit", -1],
  ["bad_debt", "Uncollectible", 1],
] as const;

type Props = { billing: OperatorMerchantBilling; email: string; reader: Reader };

export const SubscriptionFacts = ({ billing, email, reader }: Props) => {
  const { subscription, merchant } = billing;
  return (
    <Facts>
      {subscription ? (
        <PlanOf subscription={subscription} merchantId={merchant.id} email={email} reader={reader} />
      ) : (
        <Fact name="Plan">None</Fact>
      )}
      {balances.map(([account, name, sign]) => {
        const amounts = billing.balances.filter((one) => one.account === account && one.amountMinor !== 0);
        if (amounts.length === 0) return null;
        const texts = amounts.map(({ amountMinor, currency }) => formatAmount(sign * amountMinor, currency, reader));
        return (
          <Fact key={account} name={name}>
            {texts.join(", ")}
          </Fact>
        );
      })}
      <Fact name="Tax details">
        <TaxStatus taxDetails={billing.taxDetails} />
      </Fact>
      <Fact name="Records">
        <Link href={listAddress(invoicesPath, { q: merchant.id })}>Invoices</Link>
      </Fact>
    </Facts>
  );
};

type PlanProps = Omit<Props, "billing"> & { subscription: Subscription; merchantId: string };

const PlanOf = ({ subscription, merchantId, email, reader }: PlanProps) => {
  const { plan, status, period, nextPlan, trialEndsAt, cancelAt, currencies, timeZone } = subscription;
  const { tone, label } = subscriptionStatusLabels[status];
  const at = (text: string) => formatDateTime(new Date(text), reader);
  return (
    <>
      <Fact name="Plan">
        <Link href={`/operator/plans/${plan.id}`}>{plan.name}</Link>, version {plan.version}
      </Fact>
      <Fact name="Status">
        <Pill tone={tone}>{label}</Pill>
      </Fact>
      <Fact name={status === "cancelled" ? "Last period" : "Current period"}>{formatBilledPeriod(period, reader)}</Fact>
      <Fact name="Currencies">{currencies.join(", ")}</Fact>
      <Fact name="Time zone">{timeZone.replaceAll("_", " ")}</Fact>
      {status === "trialing" && trialEndsAt ? <Fact name="Trial ends">{at(trialEndsAt)}</Fact> : null}
      {nextPlan ? (
        <Fact name="Next plan">
          {nextPlan.name}, version {nextPlan.version}
          <div>
            <WithdrawPlanChange
              merchantId={merchantId}
              planName={plan.name}
              nextPlanName={nextPlan.name}
              email={email}
            />
          </div>
        </Fact>
      ) : null}
      {cancelAt ? <Fact name={status === "cancelled" ? "Ended" : "Ends"}>{at(cancelAt)}</Fact> : null}
    </>
  );
};

const TaxStatus = ({ taxDetails }: Pick<OperatorMerchantBilling, "taxDetails">) => {
  if (!taxDetails) return "None";
  const { legalName, city, country, vatNumber, taxRegion } = taxDetails;
  const place = `${legalName}, ${city}, ${countryName(country, "en")}`;
  return (
    <>
      {place}
      {vatNumber ? `, ${vatNumber}` : ""}
      <div className="small muted">{taxRegion ? `Tax region ${taxRegion}` : "No tax region"}</div>
    </>
  );
};
