import styles from "../../portal/portal.module.css";

export const MailText = ({ text }: { text: string }) => <pre className={`card ${styles.text}`}>{text}</pre>;

/**
 * The page that a mail is, as its reader's program would show it: in a frame of no origin, without scripts, forms, popups
 * or a way out, under this page's own policy.
 */
export const MailPage = ({ html }: { html: string }) => (
  <div className="card">
    <iframe className={styles.frame} title="The mail as a page" sandbox="" srcDoc={html} />
  </div>
);
