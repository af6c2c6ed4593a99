import styles from "../../portal/portal.module.css";

export const MailText = ({ text }: { text: string }) => <pre className={`card ${styles.text}`}>{text}</pre>;

/**
 * The HTML part of an e-mail (`framedMail`), as a mail program shows it. The sandboxed frame has no origin and allows
 * no scripts, forms, popups or navigation. The policy of this page applies to it.
 */
export const MailPage = ({ html, width }: { html: string; width?: number }) => (
  <div className={`card ${styles.tallFrame}`} style={width ? { maxWidth: width } : undefined}>
    <iframe className={styles.frame} title="HTML of the e-mail" sandbox="" srcDoc={html} />
  </div>
);
