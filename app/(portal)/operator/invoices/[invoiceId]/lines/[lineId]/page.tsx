import type { Metadata } from "next";
import { cache } from "react";
import { pageTitle } from "#components/layout/page-title.ts";
import { LineEvents } from "#components/merchant/billing/line-events.tsx";
import { type SearchParams, searchId } from "#components/portal/lists/list-address.ts";
import { orNotFound } from "../../../../../portal-context.ts";
import { operatorPage } from "../../../../operator-context.ts";

type Props = { params: Promise<{ invoiceId: string; lineId: string }>; searchParams: Promise<SearchParams> };

/** Cached per request, because the title and the page both need the data. */
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

const LineEventsPage = async (props: Props) => <LineEvents {...(await loadOf(props))} />;

export default LineEventsPage;
