import styles from "../../portal/portal.module.css";
import { MailFrame } from "./mail-frame.tsx";

export const MailText = ({ text }: { text: string }) => <pre className={`card ${styles.text}`}>{text}</pre>;

/**
 * The HTML part of an e-mail as a mail program shows it. `framedMail` prepares it, because the page's content security
 * policy also applies in the frame.
 */
export const MailPage = ({ html, width }: { html: string; width?: number }) => (
  <div className={`card ${styles.mailFrame}`} style={width ? { maxWidth: width } : undefined}>
    <MailFrame html={html} />
  </div>
);
