import type { Metadata } from "next";
import type { SearchParams } from "#components/portal/lists/list-address.ts";
import { PaymentsToReview } from "./payments-to-review.tsx";
import { UnpaidInvoices } from "./unpaid-invoices.tsx";

type Props = { searchParams: Promise<SearchParams> };

const isReview = (params: SearchParams): boolean => params["show"] === "review";

export const generateMetadata = async ({ searchParams }: Props): Promise<Metadata> => ({
  title: isReview(await searchParams) ? "Payments to review" : "Dunning",
});

const DunningPage = async ({ searchParams }: Props) => {
  const params = await searchParams;
  return isReview(params) ? <PaymentsToReview params={params} /> : <UnpaidInvoices params={params} />;
};

export default DunningPage;
