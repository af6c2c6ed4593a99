import { type SearchParams, searchId } from "#components/portal/lists/list-address.ts";
import { currentMembership, mayPerform, orNotFound } from "../../../portal-context.ts";
import { merchantPage } from "../../merchant-context.ts";

/**
 * Stripe redirects the person to these pages. The URL names the merchant, because the person may have selected another
 * merchant in the dashboard in the meantime. Opening a page changes nothing.
 */
export const processorPage = async (path: string, searchParams: Promise<SearchParams>) => {
  const named = searchId(await searchParams, "merchant");
  const page = await merchantPage(named === undefined ? path : `${path}?merchant=${encodeURIComponent(named)}`);
  const { all = [], current } = (await currentMembership()) ?? {};
  const merchant = all.find(({ merchantId }) => merchantId === named) ?? current;
  if (!merchant) throw new Error("a merchant page was opened by an account without a merchant");
  const { merchantId, role } = merchant;
  return {
    ...page,
    merchant,
    view: await orNotFound(page.api.processor.account({ merchantId })),
    mayConnect: mayPerform(page.actor, "processor.connect", { kind: "merchant", role }),
  };
};
