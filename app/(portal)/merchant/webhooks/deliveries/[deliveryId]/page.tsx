import type { Metadata } from "next";
import { cache } from "react";
import { formatRelativeDateTime } from "#components/format/dates.ts";
import { deliveryStateLabel } from "#components/format/labels/webhook-labels.ts";
import { pageTitle } from "#components/layout/page-title.ts";
import { DeliveryAttempts, DeliveryRequest } from "#components/merchant/webhooks/delivery-wire.tsx";
import { Replay } from "#components/merchant/webhooks/replay.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { RefreshWhileVisible } from "#components/portal/refresh-while-visible.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Fact, Facts } from "#components/ui/facts.tsx";
import { Link } from "#components/ui/link.tsx";
import { Pill } from "#components/ui/pill.tsx";
import { orNotFound } from "../../../../portal-context.ts";
import { merchantPage } from "../../../merchant-context.ts";

type Props = { params: Promise<{ deliveryId: string }> };

/** Cached per request, because the title and the page both need the data. */
const load = cache(async (deliveryId: string) => {
  const page = await merchantPage(`/merchant/webhooks/deliveries/${encodeURIComponent(deliveryId)}`);
  return { ...page, delivery: await orNotFound(page.api.webhooks.delivery({ deliveryId })) };
});

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { delivery } = await load((await params).deliveryId);
  return { title: pageTitle(`Delivery of ${delivery.eventType}, ${delivery.objectId}`) };
};

const DeliveryPage = async ({ params }: Props) => {
  const { reader, now, may, delivery } = await load((await params).deliveryId);
  const hasFailedAttempt = delivery.tries.some(({ status, problem }) => status !== null || problem !== null);
  const { tone, label } = deliveryStateLabel(delivery.state, hasFailedAttempt);
  const when = (text: string) => formatRelativeDateTime(new Date(text), now, reader);
  return (
    <>
      {delivery.state === "pending" ? <RefreshWhileVisible everyMilliseconds={5_000} /> : null}
      <PageHead title={delivery.eventType} act={may("delivery.replay") ? <Replay deliveryId={delivery.id} /> : null}>
        {when(delivery.createdAt)}
      </PageHead>
      <Facts>
        <Fact name="Outcome">
          <Pill tone={tone}>{label}</Pill>
        </Fact>
        {delivery.nextAttemptAt ? <Fact name="Next attempt">{when(delivery.nextAttemptAt)}</Fact> : null}
        <Fact name="Endpoint">
          <Link href={`/merchant/webhooks/${delivery.endpointId}`}>{delivery.endpointUrl}</Link>
        </Fact>
        <Fact name="Object">{delivery.objectId}</Fact>
        <Fact name="Sequence number">{delivery.sequence}</Fact>
        {delivery.replayOf ? (
          <Fact name="Original delivery">
            <Link href={`/merchant/webhooks/deliveries/${delivery.replayOf}`}>{delivery.replayOf}</Link>
          </Fact>
        ) : null}
        <Fact name="Delivery">{delivery.id}</Fact>
      </Facts>
      <Section title="Request">
        <DeliveryRequest delivery={delivery} />
      </Section>
      <Section title="Attempts and responses">
        {delivery.tries.length > 0 ? (
          <DeliveryAttempts attempts={delivery.tries} now={now} reader={reader} />
        ) : (
          <EmptyState title="No attempts yet">
            {delivery.state === "stopped"
              ? "The endpoint was off before the first attempt. Switch it on, then resend the event here."
              : "The first attempt follows within seconds."}
          </EmptyState>
        )}
      </Section>
    </>
  );
};

export default DeliveryPage;
