"use client";
import { useState } from "react";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { CopyText } from "../../ui/copy-text.tsx";
import { Notice } from "../../ui/notice.tsx";
import styles from "../portal.module.css";
import { type ClientKey, makeClientKey } from "./client-key.ts";
import { PrivateKeyLink } from "./private-key-link.tsx";
import { type ClientKind, registrationCommand } from "./registration-command.ts";

type Made = { token: string; kind: ClientKind; scopes: readonly string[]; url: string };

/** A token as it is told when it is made, and never again, with the request that it is for. */
export const TokenOnce = ({ made, doneHref }: { made: Made; doneHref: string }) => {
  const [key, setKey] = useState<ClientKey | null>(null);
  return (
    <div className={styles.form}>
      <Notice tone="warn" isLive>
        Copy the token now: it isn’t shown again. Should it be lost, revoke it and make a new one.
      </Notice>
      <CopyText label="token" text={made.token} />
      <h2>Register with it</h2>
      <p className="small">
        Your app signs with a key of its own; the request holds the public half alone. Bring a key, or have a pair made
        in this browser: the private half isn’t sent to us and isn’t kept here.
      </p>
      {key ? (
        <Notice tone="note" isLive>
          Download the private key now: once you leave this page, it is gone. The request below holds the public one.
        </Notice>
      ) : null}
      <div className={styles.acts}>
        {key ? (
          <PrivateKeyLink privateJwk={key.privateJwk} />
        ) : (
          <Button size="small" onClick={async () => setKey(await makeClientKey())}>
            Make a key pair
          </Button>
        )}
      </div>
      <CopyText label="request" text={registrationCommand({ ...made, publicJwk: key?.publicJwk ?? null })} />
      <div>
        <ButtonLink href={doneHref} variant="primary">
          I have copied it
        </ButtonLink>
      </div>
    </div>
  );
};
