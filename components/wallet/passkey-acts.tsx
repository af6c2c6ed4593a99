"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { deviceName } from "../format/device-name.ts";
import { setPreferenceCookie } from "../layout/remember.ts";
import { trpc } from "../portal/acts/trpc-client.ts";
import { sent, textIn, useAct } from "../portal/acts/use-act.tsx";
import { useStepUp } from "../portal/acts/use-step-up.tsx";
import { createPasskey } from "../sign-in/passkey.ts";
import { Button, SubmitButton } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import styles from "./passkey-acts.module.css";

/** Asks the browser to make one, and keeps it under the name of this device until it is given another. */
export const AddPasskey = ({ email }: { email: string }) => {
  const router = useRouter();
  const stepUp = useStepUp(email, "Confirm and add");
  const act = useAct(stepUp.asks);
  const add = () =>
    act.perform(async () => {
      const made = await createPasskey(await trpc.passkeys.beginAdding.mutate());
      await trpc.passkeys.add.mutate({ attestation: made, name: deviceName(navigator.userAgent) });
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
  const rename = (wanted: string) =>
    act.perform(async () => {
      await trpc.passkeys.rename.mutate({ passkeyId, name: wanted });
      setIsOpen(false);
      router.refresh();
    });
  return (
    <>
      <Button size="small" aria-label={`Rename: ${name}`} onClick={() => setIsOpen(true)}>
        Rename
      </Button>
      <Dialog isOpen={isOpen} onOpenChange={setIsOpen} title="Rename this passkey">
        <form className={styles.form} onSubmit={(event) => rename(textIn(sent(event), "name"))}>
          <Field label="Name" name="name" required maxLength={60} autoComplete="off" defaultValue={name} />
          {act.notice}
          <DialogActions>
            <Button onClick={() => setIsOpen(false)}>Leave it</Button>
            <SubmitButton variant="primary" aria-busy={act.isBusy || undefined}>
              Rename it
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
  const act = useAct(stepUp.asks);
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
          It can’t sign you in or confirm anything any more.{" "}
          {isLast ? "Your password still does." : "Your password and your other passkeys still do."} Delete it on your
          device or in your password manager too, which would go on offering it.
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
