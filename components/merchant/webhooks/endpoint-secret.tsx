import styles from "../../portal/portal.module.css";
import { ButtonLink } from "../../ui/button.tsx";
import { CopyText } from "../../ui/copy/copy-text.tsx";
import { Notice } from "../../ui/notice.tsx";

/** A new secret and its public key. A receiver checks signatures with either of them. The secret is shown only here. */
export const EndpointSecret = ({
  secret,
  publicKey,
  doneHref,
}: {
  secret: string;
  publicKey: string;
  /** null: the parent has its own button */
  doneHref: string | null;
}) => (
  <div className={styles.form}>
    <Notice tone="warn" isLive>
      Copy the secret now. It isn’t shown again. If you lose it, create a new one.
    </Notice>
    <div className={styles.copies}>
      <p className="small">Secret (v1, HMAC)</p>
      <CopyText label="secret" text={secret} />
      <p className="small">Public key (v1a, Ed25519)</p>
      <CopyText label="public key" text={publicKey} />
    </div>
    {doneHref ? (
      <div>
        <ButtonLink href={doneHref} variant="primary">
          I have copied it
        </ButtonLink>
      </div>
    ) : null}
  </div>
);
