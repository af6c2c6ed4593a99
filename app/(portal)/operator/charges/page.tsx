import type { Metadata } from "next";
import type { SearchParams } from "#components/portal/lists/list-address.ts";
import { AllCharges } from "./all-charges.tsx";
import { ChargesUnderReview } from "./charges-under-review.tsx";

type Props = { searchParams: Promise<SearchParams> };

const isReview = (params: SearchParams): boolean => params["show"] === "review";

export const generateMetadata = async ({ searchParams }: Props): Promise<Metadata> => ({
  title: isReview(await searchParams) ? "Charges needing review" : "Charges",
});

const ChargesPage = async ({ searchParams }: Props) => {
  const params = await searchParams;
  return isReview(params) ? <ChargesUnderReview params={params} /> : <AllCharges params={params} />;
};

export default ChargesPage;
