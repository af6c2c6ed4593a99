import { Section } from "../portal/page-head.tsx";
import { DownloadLink } from "../ui/button.tsx";
import styles from "./receipt-links.module.css";

/** @param href the address of the receipt, without `.pdf` or `.json` */
export const ReceiptLinks = ({ title, text, href }: { title: string; text: string; href: string }) => (
  <Section title={title}>
    <div className={`card ${styles.receipt}`}>
      <p className="small muted">{text}</p>
      <div className={styles.links}>
        <DownloadLink href={`${href}.pdf`}>PDF</DownloadLink>
        <DownloadLink href={`${href}.json`}>JSON</DownloadLink>
      </div>
    </div>
  </Section>
);
