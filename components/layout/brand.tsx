import { Link } from "#components/ui/link.tsx";
import styles from "./brand.module.css";

export const Brand = ({ href = "/", label = "Paygrant" }: { href?: string; label?: string }) => (
  <Link href={href} className={styles.brand}>
    <span className={styles.mark} aria-hidden="true">
      P
    </span>
    <span>{label}</span>
  </Link>
);
