import { ButtonLink } from "../../ui/button.tsx";
import styles from "./month-pager.module.css";

export const MonthPager = ({ newer, older }: { newer: string | null; older: string | null }) => (
  <nav className={styles.pager} aria-label="Months">
    {older ? (
      <ButtonLink href={older} size="small">
        Previous month
      </ButtonLink>
    ) : (
      <span />
    )}
    {newer ? (
      <ButtonLink href={newer} size="small">
        Next month
      </ButtonLink>
    ) : null}
  </nav>
);
