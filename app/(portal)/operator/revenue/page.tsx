import type { Metadata } from "next";
import { OutstandingTable } from "#components/operator/revenue/outstanding-table.tsx";
import { RevenueCharts } from "#components/operator/revenue/revenue-charts.tsx";
import type { SearchParams } from "#components/portal/lists/list-address.ts";
import { ListTabs } from "#components/portal/lists/list-tabs.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { operatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "Revenue" };

const here = "/operator/revenue";

const RevenuePage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const { api, reader } = await operatorPage(here, "billing_revenue.read");
  const revenue = await api.operatorRevenue.overview();
  const currencies = [...new Set([...revenue.rows, ...revenue.outstanding].map(({ currency }) => currency))].sort();
  const currency = currencies.find((one) => one === params["currency"]) ?? currencies[0];
  const addressOf = (one: string) => (one === currencies[0] ? here : `${here}?currency=${one}`);
  return (
    <>
      <PageHead title="Revenue">
        Invoiced amounts without tax and after discounts, by month of issue (UTC). Credit notes are subtracted in the
        month of their issue, and void invoices in the month in which they were voided.
      </PageHead>
      {currency === undefined ? (
        <EmptyState title="Nothing has been invoiced yet">
          Revenue is shown here after the first invoice is issued.
        </EmptyState>
      ) : (
        <>
          {currencies.length > 1 ? (
            <ListTabs
              label="Currency"
              tabs={currencies.map((one) => ({ href: addressOf(one), label: one }))}
              current={addressOf(currency)}
            />
          ) : null}
          <RevenueCharts revenue={revenue} currency={currency} reader={reader} />
        </>
      )}
      <Section title="Outstanding">
        {revenue.outstanding.length > 0 ? (
          <OutstandingTable outstanding={revenue.outstanding} reader={reader} />
        ) : (
          <EmptyState title="No open invoices">All issued invoices are paid, void or uncollectible.</EmptyState>
        )}
      </Section>
    </>
  );
};

export default RevenuePage;
