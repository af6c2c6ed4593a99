import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { PageHead } from "#components/wallet/page-head.tsx";
import { EndpointForm } from "#components/webhooks/endpoint-form.tsx";
import { merchantEventTypes } from "#server/webhooks/event-types.ts";
import { merchantPage } from "../../merchant-context.ts";
import { readWish, type WishParams, withWish } from "../endpoint-wish.ts";

export const metadata: Metadata = { title: "Add an endpoint" };

const path = "/merchant/webhooks/new";

const NewEndpointPage = async ({ searchParams }: { searchParams: Promise<WishParams> }) => {
  const wish = readWish(await searchParams);
  const { merchantId, may, requireRecentProof } = await merchantPage(withWish(path, wish));
  if (!may("webhook.create")) notFound();
  requireRecentProof();
  return (
    <>
      <PageHead title="Add an endpoint">Its secret is shown once, when it is made.</PageHead>
      <EndpointForm
        merchantId={merchantId}
        endpointId={null}
        wish={wish ?? { url: "", eventTypes: [] }}
        eventTypes={merchantEventTypes}
        path={path}
      />
    </>
  );
};

export default NewEndpointPage;
