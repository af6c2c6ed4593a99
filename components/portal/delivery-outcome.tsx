import type { WebhookDelivery } from "#server/trpc/merchant/webhook-views.ts";
import { deliveryStateLabel, describeAttemptOutcome } from "../format/labels/webhook-labels.ts";
import { Pill } from "../ui/pill.tsx";
import { CellNote } from "../ui/table.tsx";

type Delivery = Pick<WebhookDelivery, "state" | "attempts" | "lastStatus" | "lastProblem">;

/** The state of a webhook delivery and the result of its last attempt, in a cell of a table. */
export const DeliveryOutcome = ({ delivery }: { delivery: Delivery }) => {
  const { state, attempts, lastStatus, lastProblem } = delivery;
  const { tone, label } = deliveryStateLabel(state, attempts > 1 || lastStatus !== null || lastProblem !== null);
  return (
    <>
      <Pill tone={tone}>{label}</Pill>
      {attempts > 0 ? (
        <CellNote>
          {describeAttemptOutcome({ status: lastStatus, problem: lastProblem })}
          {attempts > 1 ? `, attempt ${attempts}` : ""}
        </CellNote>
      ) : null}
    </>
  );
};
