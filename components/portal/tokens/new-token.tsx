"use client";
import { useState } from "react";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { CopyText } from "../../ui/copy/copy-text.tsx";
import { Notice } from "../../ui/notice.tsx";
import styles from "../portal.module.css";
import { type ClientKey, makeClientKey } from "./client-key.ts";
import { PrivateKeyLink } from "./private-key-link.tsx";
import { type ClientKind, registrationCommand } from "./registration-command.ts";

type Token = { token: string; kind: ClientKind; scopes: readonly string[]; url: string };

/** A new token with the request that uses it. The token is shown only here. */
export const NewToken = ({ token, doneHref }: { token: Token; doneHref: string }) => {
  const [key, setKey] = useState<ClientKey | null>(null);
  return (
    <div className={styles.form}>
      <Notice tone="warn" isLive>
        Copy the token now. It isn’t shown again. If you lose it, revoke it and create a new one.
      </Notice>
      <CopyText label="token" text={token.token} />
      <h2>Register {token.kind === "agent" ? "an agent" : "an app"} with this token</h2>
      <p className="small">
        The {token.kind === "agent" ? "agent" : "app"} signs with its own key, and the request contains only the public
        key. Use a key that you have, or generate a key pair in this browser. The private key isn’t sent to us or stored
        here.
      </p>
      {key ? (
        <Notice tone="note" isLive>
          Download the private key now. You can’t get it after you leave this page. The request below contains the
          public key.
        </Notice>
      ) : null}
      <div className={styles.acts}>
        {key ? (
          <PrivateKeyLink privateJwk={key.privateJwk} />
        ) : (
          <Button size="small" onClick={async () => setKey(await makeClientKey())}>
            Generate key pair
          </Button>
        )}
      </div>
      <CopyText label="request" text={registrationCommand({ ...token, publicJwk: key?.publicJwk ?? null })} />
      <div>
        <ButtonLink href={doneHref} variant="primary">
          I have copied it
        </ButtonLink>
      </div>
    </div>
  );
};
