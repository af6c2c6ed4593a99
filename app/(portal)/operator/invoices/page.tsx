import type { Metadata } from "next";
import type { SearchParams } from "#components/portal/lists/list-address.ts";
import { AllInvoices } from "./all-invoices.tsx";
import { TaxDecisions } from "./tax-decisions.tsx";

type Props = { searchParams: Promise<SearchParams> };

const isTax = (params: SearchParams): boolean => params["show"] === "tax";

export const generateMetadata = async ({ searchParams }: Props): Promise<Metadata> => ({
  title: isTax(await searchParams) ? "Tax decisions" : "Invoices",
});

const InvoicesPage = async ({ searchParams }: Props) => {
  const params = await searchParams;
  return isTax(params) ? <TaxDecisions params={params} /> : <AllInvoices params={params} />;
};

export default InvoicesPage;
