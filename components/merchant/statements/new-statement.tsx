import styles from "../../portal/portal.module.css";
import { ButtonLink } from "../../ui/button.tsx";
import { CopyText } from "../../ui/copy/copy-text.tsx";
import { Notice } from "../../ui/notice.tsx";

/** A new software statement, which is shown only here. */
export const NewStatement = ({ statement, doneHref }: { statement: string; doneHref: string }) => (
  <div className={styles.form}>
    <Notice tone="warn" isLive>
      Copy the statement now. It isn’t shown again. If you lose it, revoke it and get a new one.
    </Notice>
    <CopyText label="statement" text={statement} />
    <p className="small">
      Send it as <code>software_statement</code> when you register a client. The values in the statement replace those
      of the request.
    </p>
    <div>
      <ButtonLink href={doneHref} variant="primary">
        I have copied it
      </ButtonLink>
    </div>
  </div>
);
