import type { Metadata } from "next";
import { BudgetAlertTable } from "#components/merchant/billing/budgets/budget-alert-table.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { merchantPage } from "../../merchant-context.ts";

export const metadata: Metadata = { title: "Budget alerts" };

const AlertsPage = async () => {
  const { api, merchantId, reader, may } = await merchantPage("/merchant/billing/alerts");
  const alerts = await api.merchantBudgets.list({ merchantId });
  const canChange = may("billing.change");
  const add = canChange ? (
    <ButtonLink href="/merchant/billing/alerts/new" variant="primary" size="small">
      Add an alert
    </ButtonLink>
  ) : null;
  return (
    <>
      <PageHead title="Budget alerts" act={alerts.length > 0 ? add : null}>
        An alert is sent once per billing period, when the cost reaches its threshold. Alerts don’t stop payments.
      </PageHead>
      {alerts.length > 0 ? (
        <BudgetAlertTable alerts={alerts} canChange={canChange} reader={reader} />
      ) : (
        <EmptyState title="No budget alerts yet" act={add}>
          Get an e-mail or a webhook when the current period costs more than you expect.
        </EmptyState>
      )}
    </>
  );
};

export default AlertsPage;
