"use client";
import { useRouter } from "next/navigation";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import styles from "../../portal/portal.module.css";
import { Button, ButtonLink } from "../../ui/button.tsx";

type AppProps = { clientId: string; name: string; email: string };

/** Edits or deletes an app. */
export const AppActs = ({ clientId, name, email }: AppProps) => (
  <div className={styles.acts}>
    <ButtonLink href={`/merchant/apps/${clientId}/edit`} size="small">
      Edit
    </ButtonLink>
    <DeleteApp clientId={clientId} name={name} email={email} />
  </div>
);

const DeleteApp = ({ clientId, name, email }: AppProps) => {
  const router = useRouter();
  const stepUp = useStepUp(email, "Confirm and delete");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  const remove = async () => {
    await trpc.apps.delete.mutate({ clientId });
    router.push("/merchant/apps");
  };
  return (
    <>
      <Button size="small" variant="danger" onClick={open}>
        Delete
      </Button>
      <ConfirmDialog
        {...dialog}
        stepUp={stepUp.dialog}
        title={`Delete ${name}?`}
        confirmLabel="Delete app"
        variant="dangerSolid"
        effects={[
          "The app’s keys and access tokens become invalid immediately. The app can no longer verify, charge or refund.",
          "Payments that were already submitted are settled as usual. Your other apps can still refund them.",
          "Your organization keeps its payments, mandates, logs and webhooks. This can’t be undone.",
        ]}
        onConfirm={() => run(remove)}
      />
    </>
  );
};
