"use client";
import styles from "../../portal/portal.module.css";
import { SavedKey } from "../../portal/tokens/saved-key.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { CopyText } from "../../ui/copy/copy-text.tsx";
import { Notice } from "../../ui/notice.tsx";

export type AppCredentialsProps = {
  clientId: string;
  registrationUri: string;
  registrationAccessToken: string;
  /** null: the person pasted a public key */
  privateJwk: JsonWebKey | null;
};

/** The credentials of a new app. The registration access token and the private key are shown only here. */
export const AppCredentials = ({
  clientId,
  registrationUri,
  registrationAccessToken,
  privateJwk,
}: AppCredentialsProps) => {
  const appHref = `/merchant/apps/${clientId}`;
  return (
    <div className={styles.form}>
      <Notice tone="good" isLive>
        The app is registered. This is its client ID. The app authenticates with its private key.
      </Notice>
      <CopyText label="client ID" text={clientId} />
      <details>
        <summary className="small">Change the app through the API (optional)</summary>
        <div className={styles.form}>
          <p className="small">
            On the app’s page, you can edit or delete the app and rotate its keys. To use the API instead, send requests
            to this URL with this token (RFC 7592). The token isn’t shown again.
          </p>
          <CopyText label="registration URL" text={registrationUri} />
          <CopyText label="registration access token" text={registrationAccessToken} />
        </div>
      </details>
      {privateJwk ? (
        <SavedKey privateJwk={privateJwk} doneHref={appHref} />
      ) : (
        <div>
          <ButtonLink href={appHref} variant="primary">
            Open the app
          </ButtonLink>
        </div>
      )}
    </div>
  );
};
