"use client";
import { useState } from "react";
import { deviceName } from "#server/kernel/text/device-name.ts";
import { setPreferenceCookie } from "../../layout/preference-cookie.ts";
import { openPage } from "../../portal/acts/open-page.ts";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useAct } from "../../portal/acts/use-act.tsx";
import { useStepUp } from "../../portal/acts/use-step-up.tsx";
import { createPasskey } from "../../sign-in/passkey.ts";
import { Button } from "../../ui/button.tsx";
import { CopyText } from "../../ui/copy/copy-text.tsx";
import { Icon } from "../../ui/icon.tsx";
import { CodeForm } from "./code-form.tsx";
import styles from "./second-factor.module.css";

type Props = { returnTo: string; email: string };

/** An operator without a second factor sets one up: a passkey, or an authenticator app. */
export const SetUpSecondFactor = ({ returnTo, email }: Props) => (
  <>
    <div className={styles.part}>
      <h1>Set up a second factor</h1>
      <p className="muted small">
        To open the console, you need a passkey, or your password and a code from an authenticator app.
      </p>
    </div>
    <SetUpPasskey returnTo={returnTo} email={email} />
    <SetUpApp returnTo={returnTo} email={email} />
  </>
);

const SetUpPasskey = ({ returnTo, email }: Props) => {
  const stepUp = useStepUp(email, "Confirm and create");
  const { isBusy, notice, perform } = useAct(stepUp.handleError);
  const create = () =>
    perform(async () => {
      const attestation = await createPasskey(await trpc.passkeys.beginAdding.mutate());
      await trpc.passkeys.add.mutate({ attestation, name: deviceName(navigator.userAgent) ?? "Passkey" });
      setPreferenceCookie("passkey", "1");
      await openPage(returnTo);
    });
  return (
    <section className={styles.part} aria-labelledby="by-passkey">
      <h2 id="by-passkey">Passkey</h2>
      <p className="muted small">
        Recommended. You sign in with your fingerprint, face or PIN. A passkey doesn’t work on fake sites.
      </p>
      <Button isWide variant="primary" isBusy={isBusy} onClick={create}>
        <Icon name="key" />
        Create a passkey
      </Button>
      {notice}
      {stepUp.dialog}
    </section>
  );
};

type Offer = Awaited<ReturnType<typeof trpc.operatorSecondFactor.begin.mutate>>;

const SetUpApp = ({ returnTo, email }: Props) => {
  const stepUp = useStepUp(email, "Confirm and continue");
  const { isBusy, notice, perform } = useAct(stepUp.handleError);
  const [offer, setOffer] = useState<Offer | null>(null);
  const begin = () => perform(async () => setOffer(await trpc.operatorSecondFactor.begin.mutate()));
  return (
    <section className={styles.part} aria-labelledby="by-app">
      <h2 id="by-app">Authenticator app</h2>
      {offer ? (
        <ol className={styles.steps}>
          <li>
            <p className="small">Scan this code with the app, or enter the key in it.</p>
            <QrCode {...offer.qr} />
            <CopyText label="key" text={offer.secret} />
          </li>
          <li>
            <p className="small">Enter the code that the app shows.</p>
            <CodeForm returnTo={returnTo} submitLabel="Confirm" />
          </li>
        </ol>
      ) : (
        <Button isWide isBusy={isBusy} onClick={begin}>
          Set up an app
        </Button>
      )}
      {notice}
      {stepUp.dialog}
    </section>
  );
};

const QrCode = ({ size, path }: Offer["qr"]) => (
  <svg className={styles.qr} viewBox={`0 0 ${size} ${size}`} role="img" shapeRendering="crispEdges">
    <title>QR code of the key below</title>
    <path d={path} />
  </svg>
);
