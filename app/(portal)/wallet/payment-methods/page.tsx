import type { Metadata } from "next";
import { date } from "#components/mandates/words.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Pill } from "#components/ui/pill.tsx";
import { Item, ItemList } from "#components/wallet/item-list.tsx";
import { isLive } from "#components/wallet/mandate-words.ts";
import { PageHead } from "#components/wallet/page-head.tsx";
import { walletPage } from "../wallet-context.ts";

export const metadata: Metadata = { title: "Payment methods" };

const PaymentMethodsPage = async () => {
  const { api, reader } = await walletPage("/wallet/payment-methods");
  const [methods, mandates] = await Promise.all([api.wallet.paymentMethods(), api.wallet.mandates()]);
  const usesOf = (id: string) =>
    mandates.filter((mandate) => isLive(mandate) && mandate.paymentMethod?.id === id).length;
  const uses = (count: number) =>
    count === 0 ? "no mandate uses it" : count === 1 ? "1 mandate uses it" : `${count} mandates use it`;
  return (
    <>
      <PageHead title="Payment methods">What your mandates pay with. Paygrant never sees a card number.</PageHead>
      {methods.length > 0 ? (
        <ItemList>
          {methods.map(({ id, label, isDefault, createdAt }) => (
            <Item
              key={id}
              icon="card"
              title={label}
              note={`Added ${date(new Date(createdAt), reader)}; ${uses(usesOf(id))}`}
              act={isDefault ? <Pill tone="good">Default</Pill> : null}
            />
          ))}
        </ItemList>
      ) : (
        <EmptyState title="No payment methods yet">Without one you can’t approve a mandate.</EmptyState>
      )}
    </>
  );
};

export default PaymentMethodsPage;
