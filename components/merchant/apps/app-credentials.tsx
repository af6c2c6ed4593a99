"use client";
import styles from "../../portal/portal.module.css";
import { PrivateKeyLink } from "../../portal/tokens/private-key-link.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { CopyText } from "../../ui/copy-text.tsx";
import { Notice } from "../../ui/notice.tsx";

export type AppCredentialsProps = {
  clientId: string;
  registrationUri: string;
  registrationAccessToken: string;
  /** null: the person pasted a public key */
  privateJwk: object | null;
};

/** The credentials of a new app. The registration access token and the private key are shown only here. */
export const AppCredentials = (credentials: AppCredentialsProps) => (
  <div className={styles.form}>
    <Notice tone="good" isLive>
      The app is registered. This is your client ID. The app authenticates with its private key.
    </Notice>
    <CopyText label="client id" text={credentials.clientId} />
    {credentials.privateJwk ? (
      <>
        <Notice tone="warn">Download the private key now. You can’t get it after you leave this page.</Notice>
        <div className={styles.acts}>
          <PrivateKeyLink privateJwk={credentials.privateJwk} />
        </div>
      </>
    ) : null}
    <h2>Change or delete the app later</h2>
    <p className="small">
      Use this URL with this token to read, replace or delete the registration (RFC 7592). The token isn’t shown again.
    </p>
    <CopyText label="registration URL" text={credentials.registrationUri} />
    <CopyText label="registration access token" text={credentials.registrationAccessToken} />
    <div>
      <ButtonLink href="/merchant/apps" variant="primary">
        I have copied it
      </ButtonLink>
    </div>
  </div>
);
