"use client";
import { useRouter } from "next/navigation";
import { deviceName } from "#server/kernel/text/device-name.ts";
import { setPreferenceCookie } from "../layout/preference-cookie.ts";
import { ConfirmDialog } from "../portal/acts/confirm-dialog.tsx";
import { trpc } from "../portal/acts/trpc-client.ts";
import { textField, useAct } from "../portal/acts/use-act.tsx";
import { useConfirmDialog } from "../portal/acts/use-confirm-dialog.ts";
import { useStepUp } from "../portal/acts/use-step-up.tsx";
import { createPasskey } from "../sign-in/passkey.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import styles from "./passkey-actions.module.css";

/** Creates a passkey in the browser. Its initial name is the name of this device. */
export const AddPasskey = ({ email }: { email: string }) => {
  const router = useRouter();
  const stepUp = useStepUp(email, "Confirm and add");
  const act = useAct(stepUp.handleError);
  const add = () =>
    act.perform(async () => {
      const attestation = await createPasskey(await trpc.passkeys.beginAdding.mutate());
      await trpc.passkeys.add.mutate({ attestation, name: deviceName(navigator.userAgent) ?? "Passkey" });
      setPreferenceCookie("passkey", "1");
      router.refresh();
    });
  return (
    <div className={styles.add}>
      <Button variant="primary" isBusy={act.isBusy} onClick={add}>
        Add a passkey
      </Button>
      {act.notice}
      {stepUp.dialog}
    </div>
  );
};

type PasskeyProps = { passkeyId: string; name: string; email: string };

export const PasskeyActions = ({ isLast, ...passkey }: PasskeyProps & { isLast: boolean }) => (
  <div className={styles.acts}>
    <RenamePasskey {...passkey} />
    <RemovePasskey {...passkey} isLast={isLast} />
  </div>
);

const RenamePasskey = ({ passkeyId, name }: PasskeyProps) => {
  const { open, dialog, run } = useConfirmDialog();
  const rename = (form: FormData) =>
    run(() => trpc.passkeys.rename.mutate({ passkeyId, name: textField(form, "name") }));
  return (
    <>
      <Button size="small" aria-label={`Rename: ${name}`} onClick={open}>
        Rename
      </Button>
      <ConfirmDialog
        {...dialog}
        title="Rename this passkey"
        confirmLabel="Save"
        fields={<Field label="Name" name="name" required maxLength={60} autoComplete="off" defaultValue={name} />}
        onConfirm={rename}
      />
    </>
  );
};

const RemovePasskey = ({ passkeyId, name, email, isLast }: PasskeyProps & { isLast: boolean }) => {
  const stepUp = useStepUp(email, "Confirm and remove");
  const { open, dialog, run } = useConfirmDialog(stepUp.handleError);
  const remove = () =>
    run(async () => {
      await trpc.passkeys.remove.mutate({ passkeyId });
      if (isLast) setPreferenceCookie("passkey", "");
    });
  return (
    <>
      <Button size="small" variant="danger" aria-label={`Remove: ${name}`} onClick={open}>
        Remove
      </Button>
      <ConfirmDialog
        {...dialog}
        stepUp={stepUp.dialog}
        title={`Remove ${name}?`}
        confirmLabel="Remove it"
        cancelLabel="Keep it"
        variant="dangerSolid"
        onConfirm={remove}
      >
        You can’t use this passkey to sign in or to confirm payments any more.{" "}
        {isLast ? "Your password still works." : "Your password and your other passkeys still work."} Also delete it on
        your device or in your password manager. Otherwise, it will still be offered at sign-in.
      </ConfirmDialog>
    </>
  );
};
