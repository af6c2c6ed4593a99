import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { AlertForm } from "#components/merchant/billing/budgets/alert-form.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { merchantPage } from "../../../merchant-context.ts";

export const metadata: Metadata = { title: "Add a budget alert" };

const NewAlertPage = async () => {
  const { api, merchantId, may, reader } = await merchantPage("/merchant/billing/alerts/new");
  if (!may("billing.change")) notFound();
  const { currencies } = await api.merchantBudgets.currencies({ merchantId });
  return (
    <>
      <PageHead title="Add a budget alert">
        An alert is sent when the cost reaches its threshold. The cost includes tax, and credits aren’t subtracted.
      </PageHead>
      <AlertForm merchantId={merchantId} alertId={null} current={null} currencies={currencies} locale={reader.locale} />
    </>
  );
};

export default NewAlertPage;
