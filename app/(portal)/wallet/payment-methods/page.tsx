import type { Metadata } from "next";
import { formatDate } from "#components/format/dates.ts";
import { Item, ItemList } from "#components/portal/item-list.tsx";
import { type SearchParams, searchId } from "#components/portal/lists/list-address.ts";
import { PageHead } from "#components/portal/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Pill } from "#components/ui/pill.tsx";
import { AddCard, FinishCard } from "#components/wallet/add-card.tsx";
import { acceptsCards } from "#server/accounts/payment-methods/begin-card-setup.ts";
import { portalPage } from "../../portal-context.ts";

export const metadata: Metadata = { title: "Payment methods" };

const PaymentMethodsPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const setupId = searchId(await searchParams, "card");
  const { api, reader, email, config } = await portalPage("/wallet/payment-methods");
  const methods = await api.wallet.paymentMethods();
  const uses = (count: number) =>
    count === 0 ? "no mandate uses it" : count === 1 ? "1 mandate uses it" : `${count} mandates use it`;
  const add = acceptsCards({ config }) ? <AddCard email={email} /> : null;
  return (
    <>
      <PageHead title="Payment methods" act={methods.length > 0 ? add : null}>
        The payment methods of your mandates. Paygrant never sees card numbers
        {add ? ": you enter them on Stripe’s page" : ""}.
      </PageHead>
      {setupId === undefined ? null : <FinishCard setupId={setupId} />}
      {methods.length > 0 ? (
        <ItemList>
          {methods.map(({ id, label, isDefault, createdAt, use }) => (
            <Item
              key={id}
              icon="card"
              title={label}
              note={`Added ${formatDate(new Date(createdAt), reader)}; ${uses(use.count)}`}
              act={isDefault ? <Pill tone="good">Default</Pill> : null}
            />
          ))}
        </ItemList>
      ) : (
        <EmptyState title="No payment methods yet" act={add}>
          You need a payment method to approve a mandate.
        </EmptyState>
      )}
    </>
  );
};

export default PaymentMethodsPage;
