import type { OperatorChargeDetail } from "#server/trpc/operator/charges/charge-detail-view.ts";
import type { Reader } from "../../format/reader.ts";
import { Time } from "../../format/time.tsx";
import { DeliveryOutcome } from "../../portal/delivery-outcome.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { CellNote, Table } from "../../ui/table.tsx";

const owners = { merchant: "Merchant", client: "Agent" } as const;

/** What was sent to the merchant and the agent about the charge, its refunds and disputes, newest first. */
export const ChargeDeliveries = ({
  deliveries,
  now,
  reader,
}: Pick<OperatorChargeDetail, "deliveries"> & { now: Date; reader: Reader }) =>
  deliveries.length === 0 ? (
    <EmptyState title="No deliveries">
      The merchant and the agent have no webhook for this charge, or the deliveries are older than 30 days.
    </EmptyState>
  ) : (
    <Table
      caption="Webhook deliveries"
      columns={[{ short: "Event" }, "Recipient", { date: "When" }, { short: "Outcome" }]}
    >
      <tbody>
        {deliveries.map((delivery) => (
          <tr key={delivery.id}>
            <td>{delivery.eventType}</td>
            <td>
              {delivery.ownerKind ? owners[delivery.ownerKind] : "Deleted endpoint"}
              {delivery.host ? <CellNote>{delivery.host}</CellNote> : null}
            </td>
            <td className="muted">
              <Time at={delivery.createdAt} now={now} reader={reader} />
            </td>
            <td>
              <DeliveryOutcome delivery={delivery} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
