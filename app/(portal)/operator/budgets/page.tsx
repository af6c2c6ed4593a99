import type { Metadata } from "next";
import { formatUtcMonth } from "#components/format/dates.ts";
import { AlertTable, BudgetTable } from "#components/operator/budget-tables.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { statusOperatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "Error budgets" };

const BudgetsPage = async () => {
  const { api, reader, now } = await statusOperatorPage("/operator/budgets");
  const { month, policy, budgets, alerts } = await api.operatorStatus.budgets();
  return (
    <>
      <PageHead title="Error budgets">
        {formatUtcMonth(month, reader.locale)} (UTC). {policy}
      </PageHead>
      <BudgetTable budgets={budgets} locale={reader.locale} />
      <Section title="Alerts">
        {alerts.length > 0 ? (
          <AlertTable alerts={alerts} now={now} reader={reader} />
        ) : (
          <Notice tone="good">No alerts in the last 30 days.</Notice>
        )}
      </Section>
    </>
  );
};

export default BudgetsPage;
