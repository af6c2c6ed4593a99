import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { EndpointForm } from "#components/merchant/webhooks/endpoint-form.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { merchantEventTypes } from "#server/webhooks/event-types.ts";
import { orNotFound } from "../../../../portal-context.ts";
import { merchantPage } from "../../../merchant-context.ts";

export const metadata: Metadata = { title: "Edit endpoint" };

const EditEndpointPage = async ({ params }: { params: Promise<{ endpointId: string }> }) => {
  const { endpointId } = await params;
  const { api, merchantId, may, email } = await merchantPage(
    `/merchant/webhooks/${encodeURIComponent(endpointId)}/edit`,
  );
  const endpoint = await orNotFound(api.webhooks.endpoint({ endpointId }));
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
      />
    </>
  );
};

export default EditEndpointPage;
