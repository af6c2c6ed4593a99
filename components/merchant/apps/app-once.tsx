"use client";
import styles from "../../portal/portal.module.css";
import { PrivateKeyLink } from "../../portal/tokens/private-key-link.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { CopyText } from "../../ui/copy-text.tsx";
import { Notice } from "../../ui/notice.tsx";

export type AppOnceProps = {
  clientId: string;
  registrationUri: string;
  registrationAccessToken: string;
  /** null: the reader brought a key */
  privateJwk: object | null;
};

/** A new app, with what is told of it once. */
export const AppOnce = ({ clientId, registrationUri, registrationAccessToken, privateJwk }: AppOnceProps) => (
  <div className={styles.form}>
    <Notice tone="good" isLive>
      The app is registered. Its id is what it names itself by; it signs with its key.
    </Notice>
    <CopyText label="client id" text={clientId} />
    {privateJwk ? (
      <>
        <Notice tone="warn">Download the private key now: once you leave this page, it is gone.</Notice>
        <div className={styles.acts}>
          <PrivateKeyLink privateJwk={privateJwk} />
        </div>
      </>
    ) : null}
    <h2>To change or delete it later</h2>
    <p className="small">
      Its registration is read, replaced and deleted at this address with this token (RFC 7592), which isn’t shown
      again.
    </p>
    <CopyText label="registration address" text={registrationUri} />
    <CopyText label="registration access token" text={registrationAccessToken} />
    <div>
      <ButtonLink href="/merchant/apps" variant="primary">
        I have copied it
      </ButtonLink>
    </div>
  </div>
);
