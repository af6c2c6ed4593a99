"use client";
import { useRouter } from "next/navigation";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field/field.tsx";

type TestEvent = Parameters<typeof trpc.webhooks.sendTest.mutate>[0]["eventType"];
export type SendTestEventProps = { endpointId: string; eventTypes: readonly TestEvent[] };

/** Sends an example of an event to one endpoint, and opens the delivery. */
export const SendTestEvent = ({ endpointId, eventTypes }: SendTestEventProps) => {
  const router = useRouter();
  const { open, dialog, run } = useConfirmDialog();
  const send = async (form: FormData) => {
    const eventType = eventTypes.find((type) => type === form.get("eventType")) ?? "charge.succeeded";
    const { deliveryId } = await trpc.webhooks.sendTest.mutate({ endpointId, eventType });
    router.push(`/merchant/webhooks/deliveries/${deliveryId}`);
  };
  return (
    <>
      <Button size="small" onClick={open}>
        Send test event
      </Button>
      <ConfirmDialog
        {...dialog}
        title="Send a test event?"
        confirmLabel="Send event"
        fields={
          <Select label="Event" name="eventType" defaultValue="charge.succeeded">
            {eventTypes.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </Select>
        }
        onConfirm={(form) => run(() => send(form))}
      >
        We send an example of this event, with a valid signature, to this endpoint only. The objects in it don’t exist.
      </ConfirmDialog>
    </>
  );
};
