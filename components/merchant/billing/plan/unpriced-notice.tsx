import { Link } from "../../../ui/link.tsx";
import { Notice } from "../../../ui/notice.tsx";

const lists = new Intl.ListFormat("en", { type: "conjunction" });

/**
 * Says that the merchant has payments in currencies for which its plan has no prices. @param plansHref page with plans
 */
export const UnpricedNotice = ({ currencies, plansHref }: { currencies: readonly string[]; plansHref?: string }) =>
  currencies.length === 0 ? null : (
    <Notice tone="warn">
      Your plan has no prices for payments in {lists.format(currencies)}, so these payments aren’t billed.
      {plansHref === undefined ? null : (
        <>
          {" "}
          <Link href={plansHref}>Choose a plan that has prices for all your currencies</Link>.
        </>
      )}
    </Notice>
  );
