import { ButtonLink } from "../../ui/button.tsx";
import styles from "./pager.module.css";

/** Under a list by cursor. @param newest where this page isn't the first. @param older where there are more. */
export const Pager = ({ newest, older }: { newest: string | null; older: string | null }) =>
  newest || older ? (
    <nav className={styles.pager} aria-label="Pages">
      {newest ? (
        <ButtonLink href={newest} size="small">
          Newest
        </ButtonLink>
      ) : (
        <span />
      )}
      {older ? (
        <ButtonLink href={older} size="small">
          Older
        </ButtonLink>
      ) : null}
    </nav>
  ) : null;
