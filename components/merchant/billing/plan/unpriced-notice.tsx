import { Link } from "../../../ui/link.tsx";
import { Notice } from "../../../ui/notice.tsx";

const lists = new Intl.ListFormat("en", { type: "conjunction" });

/** Says that the merchant has payments in currencies for which its plan has no prices. */
export const UnpricedNotice = ({ currencies }: { currencies: readonly string[] }) =>
  currencies.length === 0 ? null : (
    <Notice tone="warn">
      Your plan has no prices for payments in {lists.format(currencies)}, so these payments aren’t billed.{" "}
      <Link href="/merchant/billing/plan">Choose a plan that has prices for all your currencies</Link>.
    </Notice>
  );
