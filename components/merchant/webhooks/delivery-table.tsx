import type { WebhookDelivery, WebhookEndpoint } from "#server/trpc/merchant/webhook-views.ts";
import type { Reader } from "../../format/reader.ts";
import { Time } from "../../format/time.tsx";
import { DeliveryOutcome } from "../../portal/delivery-outcome.tsx";
import { CellId, CellNote, RowLink, Table } from "../../ui/table.tsx";

/** Deliveries, newest first, each with the result of its last attempt. */
export const DeliveryTable = ({
  deliveries,
  endpoints,
  now,
  reader,
}: {
  deliveries: readonly WebhookDelivery[];
  endpoints: readonly WebhookEndpoint[];
  now: Date;
  reader: Reader;
}) => {
  const urls = new Map(endpoints.map(({ id, url }) => [id, url]));
  return (
    <Table caption="Deliveries" columns={[{ short: "Event" }, "Endpoint", { date: "When" }, { short: "Outcome" }]}>
      <tbody>
        {deliveries.map((delivery) => (
          <tr key={delivery.id}>
            <td>
              <RowLink href={`/merchant/webhooks/deliveries/${delivery.id}`}>{delivery.eventType}</RowLink>
              <CellId>{delivery.objectId}</CellId>
            </td>
            <td className="muted">{urls.get(delivery.endpointId)}</td>
            <td className="muted">
              <Time at={delivery.createdAt} now={now} reader={reader} />
              {delivery.replayOf ? <CellNote>Resent</CellNote> : null}
            </td>
            <td>
              <DeliveryOutcome delivery={delivery} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
};
