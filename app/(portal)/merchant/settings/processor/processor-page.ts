import type { Metadata } from "next";
import { cache } from "react";
import { orNotFound } from "../../../portal-context.ts";
import { merchantPage } from "../../merchant-context.ts";

/**
 * Stripe redirects the person to these pages. The URL names the merchant, because the person may have selected another
 * merchant in the dashboard in the meantime. The request for a page changes nothing, here or at Stripe. Cached per
 * request, because the title and the page both need the account.
 */
export const processorPage = cache(async (path: string) => {
  const page = await merchantPage(path);
  const { merchantId, merchantName: name, standing } = page;
  return {
    ...page,
    merchant: { merchantId, name, standing },
    view: await orNotFound(page.api.processor.account({ merchantId })),
    mayConnect: page.may("processor.connect"),
  };
});

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
export const processorMetadata = async (path: string, titles: Titles): Promise<Metadata> => ({
  title: processorTitles(await processorPage(path), titles).title,
});
