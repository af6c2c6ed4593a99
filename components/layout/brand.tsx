import Link from "next/link";
import styles from "./brand.module.css";

export const Brand = ({ href = "/", label = "Paygrant" }: { href?: string; label?: string }) => (
  <Link href={href} prefetch={false} className={styles.brand}>
    <span className={styles.mark} aria-hidden="true">
      P
    </span>
    <span>{label}</span>
  </Link>
);
