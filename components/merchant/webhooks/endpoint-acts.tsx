"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ConfirmDialog, Effects } from "../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useAct } from "../../portal/acts/use-act.tsx";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import styles from "../../portal/portal.module.css";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog/dialog.tsx";
import { EndpointSecret } from "./endpoint-secret.tsx";
import { SendTestEvent, type SendTestEventProps } from "./send-test-event.tsx";

type EndpointProps = { endpointId: string; url: string };

/** Edit, switch on or off, rotate the secret, delete. Actions that stop events or end a secret ask for confirmation. */
export const EndpointActs = ({
  isOn,
  email,
  eventTypes,
  ...endpoint
}: EndpointProps & { isOn: boolean; email: string; eventTypes: SendTestEventProps["eventTypes"] }) => (
  <div className={styles.acts}>
    {isOn ? <SendTestEvent endpointId={endpoint.endpointId} eventTypes={eventTypes} /> : null}
    <ButtonLink href={`/merchant/webhooks/${endpoint.endpointId}/edit`} size="small">
      Edit
    </ButtonLink>
    {isOn ? <SwitchOffEndpoint {...endpoint} /> : <SwitchOnEndpoint endpointId={endpoint.endpointId} />}
    <RotateSecret endpointId={endpoint.endpointId} email={email} />
    <DeleteEndpoint {...endpoint} />
  </div>
);

const SwitchOnEndpoint = ({ endpointId }: { endpointId: string }) => {
  const router = useRouter();
  const { isBusy, notice, perform } = useAct();
  const switchOn = () =>
    perform(async () => {
      await trpc.webhooks.switch.mutate({ endpointId, isOn: true });
      router.refresh();
    });
  return (
    <>
      <Button size="small" variant="primary" isBusy={isBusy} onClick={switchOn}>
        Switch on
      </Button>
      {notice}
    </>
  );
};

const SwitchOffEndpoint = ({ endpointId, url }: EndpointProps) => {
  const { open, dialog, run } = useConfirmDialog();
  return (
    <>
      <Button size="small" onClick={open}>
        Switch off
      </Button>
      <ConfirmDialog
        {...dialog}
        title="Switch off this endpoint?"
        confirmLabel="Switch off endpoint"
        variant="dangerSolid"
        effects={[
          `No more events are sent to ${url}, and pending retries are canceled.`,
          "Events are kept for 30 days. After you switch the endpoint on again, you can resend each missed event.",
        ]}
        onConfirm={() => run(() => trpc.webhooks.switch.mutate({ endpointId, isOn: false }))}
      />
    </>
  );
};

const RotateSecret = ({ endpointId, email }: { endpointId: string; email: string }) => {
  const router = useRouter();
  const stepUp = useStepUp(email, "Confirm and continue");
  const { isBusy, notice, perform, showProblem } = useAct(stepUp.handleError);
  const [isOpen, setIsOpen] = useState(false);
  const [created, setCreated] = useState<{ secret: string; publicKey: string } | null>(null);
  const open = () => {
    showProblem(null);
    setCreated(null);
    setIsOpen(true);
  };
  const rotate = () =>
    perform(async () => {
      setCreated(await trpc.webhooks.rotateSecret.mutate({ endpointId }));
      router.refresh();
    });
  const close = () => setIsOpen(false);
  return (
    <>
      <Button size="small" onClick={open}>
        Rotate secret
      </Button>
      <Dialog isOpen={isOpen} onOpenChange={setIsOpen} title={created ? "The new secret" : "Rotate the secret?"}>
        {created ? (
          <>
            <EndpointSecret {...created} doneHref={null} />
            <Button variant="primary" onClick={close}>
              I have copied it
            </Button>
          </>
        ) : (
          <>
            <Effects effects={rotationEffects} />
            {notice}
            <DialogActions>
              <Button onClick={close}>Cancel</Button>
              <Button variant="primary" isBusy={isBusy} onClick={rotate}>
                Rotate secret
              </Button>
            </DialogActions>
          </>
        )}
        {stepUp.dialog}
      </Dialog>
    </>
  );
};

const rotationEffects = [
  "For 24 hours, deliveries are signed with both secrets. Install the new secret in your receiver within that time.",
  "After that, the current secret stops working. This can’t be undone.",
];

const DeleteEndpoint = ({ endpointId, url }: EndpointProps) => {
  const router = useRouter();
  const { open, dialog, run } = useConfirmDialog();
  const remove = async () => {
    await trpc.webhooks.delete.mutate({ endpointId });
    router.push("/merchant/webhooks");
  };
  return (
    <>
      <Button size="small" variant="danger" onClick={open}>
        Delete
      </Button>
      <ConfirmDialog
        {...dialog}
        title="Delete this endpoint?"
        confirmLabel="Delete endpoint"
        variant="dangerSolid"
        effects={[
          `No more events are sent to ${url}, and its secrets are deleted.`,
          "Its deliveries are no longer shown and can’t be resent. This can’t be undone.",
        ]}
        onConfirm={() => run(remove)}
      />
    </>
  );
};
