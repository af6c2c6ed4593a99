"use client";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import styles from "../../portal/portal.module.css";
import { Button } from "../../ui/button.tsx";

type Offer = {
  merchantId: string;
  transferId: string;
  /** of the entry */
  name: string;
  entryId: string;
  fromName: string;
  /** the entry that the merchant has now; null: none */
  ownEntryId: string | null;
};

/** @param email of the signed-in member */
export const ReceivedActs = ({ email, mayAccept, ...offer }: Offer & { email: string; mayAccept: boolean }) => (
  <div className={styles.acts}>
    {mayAccept ? <Accept {...offer} email={email} /> : null}
    <Decline {...offer} />
  </div>
);

const Accept = ({ email, ...offer }: Offer & { email: string }) => {
  const { merchantId, transferId, name } = offer;
  const stepUp = useStepUp(email, "Confirm and accept");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  return (
    <>
      <Button variant="primary" aria-label={`Accept the entry of ${name}`} onClick={open}>
        Accept
      </Button>
      <ConfirmDialog
        {...dialog}
        stepUp={stepUp.dialog}
        variant="dangerSolid"
        title={`Accept the entry of ${name}?`}
        confirmLabel="Accept"
        effects={acceptEffects(offer)}
        onConfirm={() => run(() => trpc.entryTransfers.accept.mutate({ merchantId, transferId }))}
      />
    </>
  );
};

const Decline = ({ merchantId, transferId, name, fromName }: Offer) => {
  const { open, dialog, run } = useConfirmDialog();
  return (
    <>
      <Button variant="danger" aria-label={`Decline the entry of ${name}`} onClick={open}>
        Decline
      </Button>
      <ConfirmDialog
        {...dialog}
        variant="dangerSolid"
        title={`Decline the entry of ${name}?`}
        confirmLabel="Decline"
        onConfirm={() => run(() => trpc.entryTransfers.decline.mutate({ merchantId, transferId }))}
      >
        The entry still belongs to {fromName}. We e-mail the owners and admins of both merchants.
      </ConfirmDialog>
    </>
  );
};

const acceptEffects = ({ entryId, fromName, ownEntryId }: Offer): readonly string[] => [
  `You own the entry ${entryId} with its history. It gets your names and website from Settings.`,
  ...(ownEntryId === null
    ? []
    : [`Your current entry ${ownEntryId} is withdrawn permanently. Your apps and agents move to the new one.`]),
  "No domain is verified at first. Payers see the agents of your entry as not verified until you verify a domain.",
  `The apps and keys of ${fromName} leave the entry. ${fromName} can’t change it any more.`,
  ...(ownEntryId === null
    ? []
    : [
        "Your software statements and agent tokens are revoked.",
        "Your contacts, metadata documents and federation entity are removed.",
      ]),
  "You can’t undo this. Your payments and mandates aren’t affected.",
];
