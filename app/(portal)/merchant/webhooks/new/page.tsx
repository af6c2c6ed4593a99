import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { EndpointForm } from "#components/merchant/webhooks/endpoint-form.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { merchantEventTypes } from "#server/webhooks/event-types.ts";
import { merchantPage } from "../../merchant-context.ts";

export const metadata: Metadata = { title: "Add an endpoint" };

const NewEndpointPage = async () => {
  const { merchantId, may, email, config } = await merchantPage("/merchant/webhooks/new");
  if (!may("webhook.create")) notFound();
  return (
    <>
      <PageHead title="Add an endpoint">The signing secret is shown once.</PageHead>
      <EndpointForm
        merchantId={merchantId}
        endpointId={null}
        current={{ url: "", eventTypes: [] }}
        eventTypes={merchantEventTypes}
        email={email}
        allowsLoopback={config.webhookLoopback}
      />
    </>
  );
};

export default NewEndpointPage;
