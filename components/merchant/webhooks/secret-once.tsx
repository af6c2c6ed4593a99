import { ButtonLink } from "../../ui/button.tsx";
import { CopyText } from "../../ui/copy-text.tsx";
import { Notice } from "../../ui/notice.tsx";
import styles from "./webhooks.module.css";

/** What a receiver checks signatures with. It is told when it is made, and never again. */
export const SecretOnce = ({
  secret,
  publicKey,
  doneHref,
}: {
  secret: string;
  publicKey: string;
  /** null: whoever shows it closes it */
  doneHref: string | null;
}) => (
  <div className={styles.form}>
    <Notice tone="warn" isLive>
      Copy the secret now: it isn’t shown again. Should it be lost, make a new one.
    </Notice>
    <div className={styles.told}>
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
