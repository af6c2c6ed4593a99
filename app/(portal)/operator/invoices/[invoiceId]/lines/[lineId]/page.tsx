import type { Metadata } from "next";
import Link from "next/link";
import { cache } from "react";
import { pageTitle } from "#components/layout/page-title.ts";
import { EventTable } from "#components/merchant/billing/event-table.tsx";
import { listAddress, type SearchParams, searchId } from "#components/portal/lists/list-address.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { orNotFound } from "../../../../../portal-context.ts";
import { operatorPage } from "../../../../operator-context.ts";

type Props = { params: Promise<{ invoiceId: string; lineId: string }>; searchParams: Promise<SearchParams> };

/** Cached per request, for the title and the page. */
const load = cache(async (invoiceId: string, lineId: string, startingAfter: string | undefined) => {
  const invoicePath = `/operator/invoices/${encodeURIComponent(invoiceId)}`;
  const path = `${invoicePath}/lines/${encodeURIComponent(lineId)}`;
  const { api, reader } = await operatorPage(path, "billing_invoice.read");
  const wanted = { invoiceId: invoiceId.slice(0, 64), lineId: lineId.slice(0, 64), startingAfter };
  return { ...(await orNotFound(api.operatorInvoices.lineEvents(wanted))), invoicePath, path, reader };
});

const loadOf = async ({ params, searchParams }: Props) => {
  const { invoiceId, lineId } = await params;
  const after = searchId(await searchParams, "after");
  return { ...(await load(invoiceId, lineId, after)), after };
};

export const generateMetadata = async (props: Props): Promise<Metadata> => {
  const { description } = await loadOf(props);
  return { title: pageTitle(`Events: ${description}`) };
};

const LineEventsPage = async (props: Props) => {
  const { description, events, hasMore, invoicePath, path, reader, after } = await loadOf(props);
  return (
    <>
      <PageHead title={`Events: ${description}`}>
        The events that are counted in this line, oldest first. <Link href={invoicePath}>Back to the invoice</Link>
      </PageHead>
      {events.length > 0 ? (
        <EventTable events={events} reader={reader} />
      ) : (
        <EmptyState title="No events">No events are counted in this line.</EmptyState>
      )}
      <Pager
        newest={after ? path : null}
        older={hasMore ? listAddress(path, { after: events.at(-1)?.id }) : null}
        texts={{ pages: "Pages", newest: "First", older: "Next" }}
      />
    </>
  );
};

export default LineEventsPage;
