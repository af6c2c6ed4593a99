import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { pageTitle } from "#components/layout/page-title.ts";
import { AlertForm } from "#components/merchant/billing/budgets/alert-form.tsx";
import { DeleteAlert } from "#components/merchant/billing/budgets/delete-alert.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { orNotFound } from "../../../../portal-context.ts";
import { merchantPage } from "../../../merchant-context.ts";

type Props = { params: Promise<{ alertId: string }> };

/** Cached per request, because the title and the page both need the data. */
const load = cache(async (alertId: string) => {
  const page = await merchantPage(`/merchant/billing/alerts/${encodeURIComponent(alertId)}`);
  if (!page.may("billing.change")) notFound();
  const { api, merchantId } = page;
  return { ...page, alert: await orNotFound(api.merchantBudgets.alert({ merchantId, alertId })) };
});

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { alert } = await load((await params).alertId);
  return { title: pageTitle(`Budget alert ${alert.name}`) };
};

const EditAlertPage = async ({ params }: Props) => {
  const { api, merchantId, reader, alert } = await load((await params).alertId);
  const { currencies } = await api.merchantBudgets.currencies({ merchantId });
  return (
    <>
      <PageHead
        title="Edit budget alert"
        act={<DeleteAlert merchantId={merchantId} alertId={alert.id} name={alert.name} />}
      >
        If the alert was already sent in this period, it isn’t resent until the next period.
      </PageHead>
      <AlertForm
        merchantId={merchantId}
        alertId={alert.id}
        current={alert}
        currencies={currencies}
        locale={reader.locale}
      />
    </>
  );
};

export default EditAlertPage;
