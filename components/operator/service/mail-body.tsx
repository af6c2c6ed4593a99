import styles from "../../portal/portal.module.css";

export const MailText = ({ text }: { text: string }) => <pre className={`card ${styles.text}`}>{text}</pre>;

/**
 * The HTML part of an e-mail, as a mail program shows it: in a sandboxed frame without origin, scripts, forms, popups or
 * navigation, under the policy of this page.
 */
export const MailPage = ({ html }: { html: string }) => (
  <div className="card">
    <iframe className={styles.frame} title="HTML of the e-mail" sandbox="" srcDoc={html} />
  </div>
);
