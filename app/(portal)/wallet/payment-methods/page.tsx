import type { Metadata } from "next";
import { formatDate } from "#components/format/dates.ts";
import { InlineList } from "#components/format/inline-list.tsx";
import { Messages } from "#components/format/messages.tsx";
import { Item, ItemList } from "#components/portal/item-list.tsx";
import { type SearchParams, searchId } from "#components/portal/lists/list-address.ts";
import { PageHead } from "#components/portal/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Pill } from "#components/ui/pill.tsx";
import { AddCard, FinishCard } from "#components/wallet/payment-methods/add-card.tsx";
import { AddTestCard } from "#components/wallet/payment-methods/add-test-card.tsx";
import { MethodActions } from "#components/wallet/payment-methods/method-actions.tsx";
import styles from "#components/wallet/payment-methods/payment-methods.module.css";
import { acceptsTestCards } from "#server/accounts/payment-methods/add-test-card.ts";
import { acceptsCards } from "#server/accounts/payment-methods/begin-card-setup.ts";
import { testCardNames } from "#server/accounts/payment-methods/test-cards.ts";
import { methodLabel } from "#server/kernel/messages/method-label.ts";
import { translator } from "#server/kernel/messages/translator.ts";
import { currentLocale } from "../../../page-context.ts";
import { portalPage } from "../../portal-context.ts";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: translator(await currentLocale(), "payment-methods")("title"),
});

const PaymentMethodsPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const setupId = searchId(await searchParams, "card");
  const { api, reader, email, config } = await portalPage("/wallet/payment-methods");
  const methods = (await api.wallet.paymentMethods()).map((method) => ({
    ...method,
    label: methodLabel(method.label, reader.locale),
  }));
  const t = translator(reader.locale, "payment-methods");
  const add = (
    <div className={styles.adds}>
      {acceptsCards({ config }) ? <AddCard email={email} /> : null}
      {acceptsTestCards({ config }) ? <AddTestCard email={email} cards={testCardNames} /> : null}
    </div>
  );
  return (
    <Messages locale={reader.locale} areas={["payment-methods"]}>
      <PageHead title={t("title")} act={methods.length > 0 ? add : null}>
        {acceptsCards({ config }) ? t("introStripe") : t("intro")}
      </PageHead>
      {setupId === undefined ? null : <FinishCard setupId={setupId} />}
      {methods.length > 0 ? (
        <ItemList>
          {methods.map((method) => {
            const { id, label, nickname, isDefault, createdAt, use } = method;
            const added = t("added", { date: formatDate(new Date(createdAt), reader) });
            const facts = [added, t("uses", { count: use.count })];
            return (
              <Item
                key={id}
                icon="card"
                title={
                  <>
                    {nickname ?? label} {isDefault ? <Pill tone="good">{t("isDefault")}</Pill> : null}
                  </>
                }
                note={<InlineList items={nickname === null ? facts : [label, ...facts]} />}
                act={<MethodActions method={method} name={nickname ?? label} />}
              />
            );
          })}
        </ItemList>
      ) : (
        <EmptyState title={t("empty")} act={add}>
          {t("emptyText")}
        </EmptyState>
      )}
    </Messages>
  );
};

export default PaymentMethodsPage;
