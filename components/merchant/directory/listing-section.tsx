"use client";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { Section } from "../../portal/page-head.tsx";
import styles from "../../portal/portal.module.css";
import { Button } from "../../ui/button.tsx";

/** Withdraws the merchant's entry or lists it again. */
export const ListingSection = ({ merchantId, isListed }: { merchantId: string; isListed: boolean }) => (
  <Section title="Listing">
    <div className={`card ${styles.form} ${styles.box}`}>
      <p className="small muted">
        {isListed
          ? "If you withdraw the entry, its page and its history stay public. You can list it again at any time."
          : "The directory shows the entry as withdrawn until you list it again."}
      </p>
      <div className={styles.acts}>
        {isListed ? <Withdraw merchantId={merchantId} /> : <ListAgain merchantId={merchantId} />}
      </div>
    </div>
  </Section>
);

const Withdraw = ({ merchantId }: { merchantId: string }) => {
  const { open, dialog, run } = useConfirmDialog();
  return (
    <>
      <Button variant="danger" onClick={open}>
        Withdraw entry
      </Button>
      <ConfirmDialog
        {...dialog}
        variant="dangerSolid"
        title="Withdraw your entry?"
        confirmLabel="Withdraw entry"
        effects={withdrawalEffects}
        onConfirm={() => run(() => trpc.merchantDirectory.withdraw.mutate({ merchantId }))}
      />
    </>
  );
};

const ListAgain = ({ merchantId }: { merchantId: string }) => {
  const { open, dialog, run } = useConfirmDialog();
  return (
    <>
      <Button variant="primary" onClick={open}>
        List again
      </Button>
      <ConfirmDialog
        {...dialog}
        title="List your entry again?"
        confirmLabel="List entry"
        effects={listingEffects}
        onConfirm={() => run(() => trpc.merchantDirectory.listAgain.mutate({ merchantId }))}
      />
    </>
  );
};

const withdrawalEffects = [
  "The directory shows the entry as withdrawn. Its page, history and keys stay public.",
  "On the consent page, payers see the agents of your entry as not verified, and without your logo and color.",
  "No clients can be registered with your software statements or your agent tokens.",
  "Your metadata is no longer checked, and your federation entity is no longer listed.",
  "Your payments, mandates and registered clients aren’t affected.",
];
const listingEffects = [
  "The entry is active if it has a verified domain, and pending otherwise.",
  "Your valid software statements and agent tokens are accepted again if the entry is active.",
];
