import type { Metadata } from "next";
import { cache } from "react";
import { type SearchParams, searchId } from "#components/portal/lists/list-address.ts";
import { currentMembership, mayPerform, orNotFound } from "../../../portal-context.ts";
import { merchantPage } from "../../merchant-context.ts";

/** Cached per request, because the title and the page both need the account. */
const load = cache(async (path: string, named: string | undefined) => {
  const page = await merchantPage(named === undefined ? path : `${path}?merchant=${encodeURIComponent(named)}`);
  const { all = [], current } = (await currentMembership()) ?? {};
  const merchant = all.find(({ merchantId }) => merchantId === named) ?? current;
  if (!merchant) throw new Error("a merchant page was opened by an account without a merchant");
  const { merchantId, role } = merchant;
  return {
    ...page,
    merchant,
    view: await orNotFound(page.apiOfMerchant(merchantId).processor.account({ merchantId })),
    mayConnect: mayPerform(page.actor, "processor.connect", { kind: "merchant", role }),
  };
});

/**
 * Stripe redirects the person to these pages. The URL names the merchant, because the person may have selected another
 * merchant in the dashboard in the meantime. Opening a page changes nothing.
 */
export const processorPage = async (path: string, searchParams: Promise<SearchParams>) =>
  load(path, searchId(await searchParams, "merchant"));

type Titles = { connected: string; simulated: string };

/** Titles of the page. A merchant whose payments are simulated has no Stripe account. */
export const processorTitles = (
  { view, merchant }: Pick<Awaited<ReturnType<typeof processorPage>>, "view" | "merchant">,
  { connected, simulated }: Titles,
): { title: string; text: string } =>
  view.isConnectable
    ? { title: connected, text: `The Stripe account of ${merchant.name}.` }
    : { title: simulated, text: `The processor of ${merchant.name}.` };

/** For `generateMetadata`. */
export const processorMetadata = async (
  path: string,
  searchParams: Promise<SearchParams>,
  titles: Titles,
): Promise<Metadata> => ({ title: processorTitles(await processorPage(path, searchParams), titles).title });
