"use client";
import { openPage } from "../../portal/acts/open-page.ts";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useAct } from "../../portal/acts/use-act.tsx";
import { askForPasskey } from "../../sign-in/passkey.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { CodeForm } from "./code-form.tsx";
import styles from "./second-factor.module.css";

/** Asks for the second factor that the account has. */
export const EnterSecondFactor = ({
  returnTo,
  hasPasskey,
  hasTotp,
  command,
}: {
  returnTo: string;
  hasPasskey: boolean;
  hasTotp: boolean;
  /** on the server, creates a link that resets the second factor */
  command: string;
}) => (
  <>
    <div className={styles.part}>
      <h1>Confirm with your second factor</h1>
      <p className="muted small">
        The console requires a second factor.{" "}
        {hasTotp ? "Enter the code from your authenticator app" : "Use your passkey"}
        {hasTotp && hasPasskey ? ", or use a passkey." : "."}
      </p>
    </div>
    {hasTotp ? <CodeForm returnTo={returnTo} submitLabel="Continue" /> : null}
    {hasPasskey ? <ConfirmByPasskey returnTo={returnTo} isPrimary={!hasTotp} /> : null}
    <p className="muted small">
      If you lost your second factor, ask an admin to reset it under Operators. On the server, this command creates a
      link that resets it: <code>{command}</code>
    </p>
  </>
);

const ConfirmByPasskey = ({ returnTo, isPrimary }: { returnTo: string; isPrimary: boolean }) => {
  const { isBusy, notice, perform } = useAct();
  const confirm = () =>
    perform(async () => {
      const assertion = await askForPasskey(await trpc.passkeys.beginConfirming.mutate());
      await trpc.passkeys.confirm.mutate({ assertion });
      await openPage(returnTo);
    });
  return (
    <div className={styles.part}>
      <Button isWide variant={isPrimary ? "primary" : "plain"} isBusy={isBusy} onClick={confirm}>
        <Icon name="key" />
        Use a passkey
      </Button>
      {notice}
    </div>
  );
};
