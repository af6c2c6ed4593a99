import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { PageHead } from "#components/wallet/page-head.tsx";
import { EndpointForm } from "#components/webhooks/endpoint-form.tsx";
import { merchantEventTypes } from "#server/webhooks/event-types.ts";
import { orNotFound } from "../../../../wallet/wallet-context.ts";
import { merchantPage } from "../../../merchant-context.ts";
import { readWish, type WishParams, withWish } from "../../endpoint-wish.ts";

export const metadata: Metadata = { title: "Change an endpoint" };

type Props = { params: Promise<{ endpointId: string }>; searchParams: Promise<WishParams> };

const EditEndpointPage = async ({ params, searchParams }: Props) => {
  const [{ endpointId }, query] = [await params, await searchParams];
  const wish = readWish(query);
  const path = `/merchant/webhooks/${encodeURIComponent(endpointId)}/edit`;
  const { api, merchantId, may, requireRecentProof } = await merchantPage(withWish(path, wish));
  const endpoint = await orNotFound(api.webhooks.endpoint({ endpointId }));
  if (!may("webhook.update")) notFound();
  requireRecentProof();
  return (
    <>
      <PageHead title="Change an endpoint">
        What waits to be tried again goes to the new address; its secret stays.
      </PageHead>
      <EndpointForm
        merchantId={merchantId}
        endpointId={endpoint.id}
        wish={wish ?? endpoint}
        eventTypes={merchantEventTypes}
        path={path}
      />
    </>
  );
};

export default EditEndpointPage;
