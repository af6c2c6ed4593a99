import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { pageTitle } from "#components/layout/page-title.ts";
import { EndpointForm } from "#components/merchant/webhooks/endpoint-form.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { merchantEventTypes } from "#server/webhooks/event-types.ts";
import { orNotFound } from "../../../../portal-context.ts";
import { merchantPage } from "../../../merchant-context.ts";

type Props = { params: Promise<{ endpointId: string }> };

/** Cached per request, because the title and the page both need the data. */
const load = cache(async (endpointId: string) => {
  const page = await merchantPage(`/merchant/webhooks/${encodeURIComponent(endpointId)}/edit`);
  return { ...page, endpoint: await orNotFound(page.api.webhooks.endpoint({ endpointId })) };
});

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { endpoint } = await load((await params).endpointId);
  return { title: pageTitle(`Edit endpoint ${endpoint.url}`) };
};

const EditEndpointPage = async ({ params }: Props) => {
  const { merchantId, may, email, config, endpoint } = await load((await params).endpointId);
  if (!may("webhook.update")) notFound();
  return (
    <>
      <PageHead title="Edit endpoint">Pending retries go to the new URL. The secret doesn’t change.</PageHead>
      <EndpointForm
        merchantId={merchantId}
        endpointId={endpoint.id}
        current={endpoint}
        eventTypes={merchantEventTypes}
        email={email}
        allowsLoopback={config.webhookLoopback}
      />
    </>
  );
};

export default EditEndpointPage;
