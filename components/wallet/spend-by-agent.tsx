import { translator } from "#server/kernel/messages/translator.ts";
import { orderCurrencies } from "#server/kernel/money/order-currencies.ts";
import type { WalletSpend } from "#server/trpc/wallet/views.ts";
import { formatMonth } from "../format/dates.ts";
import { formatAmount } from "../format/money.ts";
import type { Reader } from "../format/reader.ts";
import { CategoryChart } from "../ui/chart/category-chart.tsx";
import { EmptyState } from "../ui/empty-state.tsx";

/**
 * What each agent spent this month: one chart for each currency, with a line that sums it up.
 * @param currency the currency that is shown first
 */
export const SpendByAgent = ({
  spend,
  currency: preferred,
  reader,
}: {
  spend: WalletSpend;
  currency: string | null;
  reader: Reader;
}) => {
  const t = translator(reader.locale, "wallet");
  const month = formatMonth(new Date(spend.from), reader);
  if (spend.rows.length === 0) {
    return <EmptyState title={t("spend.title", { month })}>{t("spend.empty", { month })}</EmptyState>;
  }
  const currencies = orderCurrencies(
    spend.rows.map(({ currency }) => currency),
    preferred,
  );
  return currencies.map((currency) => {
    const rows = spend.rows.filter((row) => row.currency === currency);
    return (
      <CategoryChart
        key={currency}
        title={currencies.length > 1 ? t("spend.titleIn", { month, currency }) : t("spend.title", { month })}
        summary={[summaryOf(rows, reader), ...(spend.isPartial ? [t("spend.partial")] : [])].join(" ")}
        unit={{ kind: "money", currency }}
        category={t("spend.agent")}
        measure={t("spend.amount")}
        items={rows.map(({ clientId, clientName, spentMinor }) => ({
          name: clientName,
          value: spentMinor,
          href: `/wallet/activity?agent=${encodeURIComponent(clientId)}`,
        }))}
        reader={reader}
        texts={{ showTable: t("spend.showTable"), noData: t("spend.noData") }}
      />
    );
  });
};

const summaryOf = (rows: WalletSpend["rows"], reader: Reader): string => {
  const t = translator(reader.locale, "wallet");
  const [highest] = rows;
  if (!highest) return "";
  const sum = (of: (row: WalletSpend["rows"][number]) => number) => rows.reduce((total, row) => total + of(row), 0);
  const values = {
    total: formatAmount(
      sum(({ spentMinor }) => spentMinor),
      highest.currency,
      reader,
    ),
    count: sum(({ count }) => count),
    agent: highest.clientName,
  };
  return rows.length === 1
    ? t("spend.summaryOne", values)
    : t("spend.summary", { ...values, amount: formatAmount(highest.spentMinor, highest.currency, reader) });
};
