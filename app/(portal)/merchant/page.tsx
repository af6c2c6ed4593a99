import type { Metadata } from "next";
import { formatDateTime, formatRelativeInSentence } from "#components/format/dates.ts";
import { paymentStateLabel } from "#components/format/labels/payment-labels.ts";
import { wasDisabledByService } from "#components/format/labels/webhook-labels.ts";
import { formatAmount } from "#components/format/money.ts";
import type { Reader } from "#components/format/reader.ts";
import { unpaidItems } from "#components/merchant/billing/collection/unpaid-items.ts";
import { OverviewFigures } from "#components/merchant/payments/overview-figures.tsx";
import { PaymentTable } from "#components/merchant/payments/payment-table.tsx";
import { PaymentTrend } from "#components/merchant/payments/payment-trend.tsx";
import { Attention, type AttentionItem } from "#components/portal/attention.tsx";
import type { SearchParams } from "#components/portal/lists/list-address.ts";
import { RangePicker } from "#components/portal/lists/range-picker.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Link } from "#components/ui/link.tsx";
import type { ProcessorState } from "#server/merchants/rules/processor-state.ts";
import { merchantPage } from "./merchant-context.ts";

export const metadata: Metadata = { title: { absolute: "Overview · Merchant · Paygrant" } };

const ranges = [7, 30, 90] as const;
/** The links to each period of the overview. */
const rangesOf = (current: number) =>
  ranges.map((days) => ({ name: `${days} days`, href: `/merchant?days=${days}`, isCurrent: days === current }));

/** The notice about details that Stripe needs. Without these details, Stripe may stop charges or payouts. */
const dueDetails = (
  { state, due, dueBy }: { state: ProcessorState; due: readonly string[]; dueBy: string | null },
  reader: Reader,
): AttentionItem[] =>
  state === "enabled" && due.length > 0
    ? [
        {
          key: "processor",
          title: "Stripe needs more details",
          text:
            dueBy === null
              ? "Without them, Stripe may stop your payments or payouts."
              : `After ${formatDateTime(new Date(dueBy), reader)}, Stripe may stop your payments or payouts.`,
          href: "/merchant/settings",
          verb: "See details",
        },
      ]
    : [];

const OverviewPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const wanted = (await searchParams)["days"];
  const days = ranges.find((range) => String(range) === wanted) ?? 30;
  const { api, merchantId, reader, now, businessNow } = await merchantPage("/merchant");
  const [overview, unpaid, endpoints, account] = await Promise.all([
    api.payments.overview({ merchantId, days }),
    api.merchantCollection.unpaid({ merchantId }),
    api.webhooks.endpoints({ merchantId }),
    api.processor.account({ merchantId }),
  ]);
  const items: AttentionItem[] = [
    ...unpaidItems(unpaid, reader),
    ...dueDetails(account, reader),
    ...overview.waiting.map((payment) => ({
      key: payment.id,
      title: `${formatAmount(payment.amountMinor, payment.currency, reader)}: ${paymentStateLabel(payment).label.toLowerCase()}`,
      text: `${payment.reference ?? payment.id}, through ${payment.client.name}.`,
      href: `/merchant/payments/${payment.id}`,
      verb: "See payment",
    })),
    ...endpoints.filter(wasDisabledByService).map((endpoint) => ({
      key: endpoint.id,
      title: "A webhook endpoint was switched off",
      text: `${endpoint.disabledReason === "gone" ? `${endpoint.url} responded with status 410 (Gone)` : `No delivery to ${endpoint.url} succeeded for three days`}. The endpoint has been off since ${formatRelativeInSentence(new Date(endpoint.disabledAt ?? endpoint.createdAt), now, reader)}.`,
      href: `/merchant/webhooks/${endpoint.id}`,
      verb: "See endpoint",
    })),
  ];
  const { paid, declined, open } = overview;
  const isQuiet = paid + declined + open === 0;
  return (
    <>
      <PageHead title="Overview">
        {isQuiet
          ? `No payments in the last ${days} days.`
          : `The last ${days} days, compared with the ${days} days before.`}
      </PageHead>
      <Attention items={items} />
      <RangePicker ranges={rangesOf(days)} />
      {isQuiet ? null : <OverviewFigures overview={overview} reader={reader} />}
      <PaymentTrend trend={overview.trend} days={days} reader={reader} />
      <Section title="Recent payments" act={<Link href="/merchant/payments">All payments</Link>}>
        {overview.recent.length > 0 ? (
          <PaymentTable payments={overview.recent} now={businessNow} reader={reader} />
        ) : (
          <EmptyState
            title="No payments yet"
            act={
              <ButtonLink href="/merchant/getting-started" variant="primary" size="small">
                Getting started
              </ButtonLink>
            }
          >
            Payments that your apps create are listed here.
          </EmptyState>
        )}
      </Section>
    </>
  );
};

export default OverviewPage;
