"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { deviceName } from "../format/device-name.ts";
import { setPreferenceCookie } from "../layout/preference-cookie.ts";
import { trpc } from "../portal/acts/trpc-client.ts";
import { submittedForm, textField, useAct } from "../portal/acts/use-act.tsx";
import { useStepUp } from "../portal/acts/use-step-up.tsx";
import { createPasskey } from "../sign-in/passkey.ts";
import { Button, SubmitButton } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import styles from "./passkey-actions.module.css";

/** Creates a passkey in the browser. Its first name is that of this device. */
export const AddPasskey = ({ email }: { email: string }) => {
  const router = useRouter();
  const stepUp = useStepUp(email, "Confirm and add");
  const act = useAct(stepUp.handleError);
  const add = () =>
    act.perform(async () => {
      const attestation = await createPasskey(await trpc.passkeys.beginAdding.mutate());
      await trpc.passkeys.add.mutate({ attestation, name: deviceName(navigator.userAgent) });
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
  const router = useRouter();
  const [isOpen, setIsOpen] = useState(false);
  const act = useAct();
  const rename = (newName: string) =>
    act.perform(async () => {
      await trpc.passkeys.rename.mutate({ passkeyId, name: newName });
      setIsOpen(false);
      router.refresh();
    });
  return (
    <>
      <Button size="small" aria-label={`Rename: ${name}`} onClick={() => setIsOpen(true)}>
        Rename
      </Button>
      <Dialog isOpen={isOpen} onOpenChange={setIsOpen} title="Rename this passkey">
        <form className={styles.form} onSubmit={(event) => rename(textField(submittedForm(event), "name"))}>
          <Field label="Name" name="name" required maxLength={60} autoComplete="off" defaultValue={name} />
          {act.notice}
          <DialogActions>
            <Button onClick={() => setIsOpen(false)}>Cancel</Button>
            <SubmitButton variant="primary" aria-busy={act.isBusy || undefined}>
              Save
            </SubmitButton>
          </DialogActions>
        </form>
      </Dialog>
    </>
  );
};

const RemovePasskey = ({ passkeyId, name, email, isLast }: PasskeyProps & { isLast: boolean }) => {
  const router = useRouter();
  const [isOpen, setIsOpen] = useState(false);
  const stepUp = useStepUp(email, "Confirm and remove");
  const act = useAct(stepUp.handleError);
  const remove = () =>
    act.perform(async () => {
      await trpc.passkeys.remove.mutate({ passkeyId });
      if (isLast) setPreferenceCookie("passkey", "");
      setIsOpen(false);
      router.refresh();
    });
  return (
    <>
      <Button size="small" variant="danger" aria-label={`Remove: ${name}`} onClick={() => setIsOpen(true)}>
        Remove
      </Button>
      <Dialog isOpen={isOpen} onOpenChange={setIsOpen} title={`Remove ${name}?`}>
        <p className="small">
          You can’t use it to sign in or to confirm payments any more.{" "}
          {isLast ? "Your password still works." : "Your password and your other passkeys still work."} Also delete it
          on your device or in your password manager, which would otherwise keep offering it.
        </p>
        {act.notice}
        <DialogActions>
          <Button onClick={() => setIsOpen(false)}>Keep it</Button>
          <Button variant="dangerSolid" isBusy={act.isBusy} onClick={remove}>
            Remove it
          </Button>
        </DialogActions>
        {stepUp.dialog}
      </Dialog>
    </>
  );
};
