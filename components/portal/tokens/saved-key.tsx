"use client";
import { useEffect, useState } from "react";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { useCopy } from "../../ui/copy/use-copy.ts";
import { Notice } from "../../ui/notice.tsx";
import styles from "../portal.module.css";
import { toPem } from "./client-key.ts";
import { FileLink, PrivateKeyLink } from "./private-key-link.tsx";

/** The private key of a new key pair. The person can continue only after saving it. */
export const SavedKey = ({ privateJwk, doneHref }: { privateJwk: JsonWebKey; doneHref: string }) => {
  const [isSaved, setIsSaved] = useState(false);
  const { isCopied, copy } = useCopy(JSON.stringify(privateJwk, null, 2));
  const [pem, setPem] = useState<string | null>(null);
  useEffect(() => {
    toPem(privateJwk).then(setPem);
  }, [privateJwk]);
  const save = () => setIsSaved(true);
  const copyAndSave = async () => {
    await copy();
    save();
  };
  return (
    <>
      <Notice tone="warn">
        Save the private key now. It exists only in this browser, and you can’t get it after you leave this page.
      </Notice>
      <div className={styles.acts}>
        <PrivateKeyLink privateJwk={privateJwk} variant="primary" onSaved={save} />
        {pem ? (
          <FileLink text={pem} type="application/x-pem-file" name="private-key.pem" variant="plain" onSaved={save}>
            Download as PEM
          </FileLink>
        ) : null}
        <Button onClick={copyAndSave}>{isCopied ? "Copied" : "Copy private key"}</Button>
      </div>
      <p className="small muted">
        The file private-key.jwk.json is for JWT libraries. The file private-key.pem is for OpenSSL and curl. Both
        contain the same key.
      </p>
      <div>
        {isSaved ? (
          <ButtonLink href={doneHref}>I have saved the private key</ButtonLink>
        ) : (
          <Button disabled>I have saved the private key</Button>
        )}
      </div>
      <span className="visuallyHidden" role="status">
        {isCopied ? "Copied the private key." : ""}
      </span>
    </>
  );
};
