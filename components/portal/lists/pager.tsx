import { ButtonLink } from "../../ui/button.tsx";
import styles from "./pager.module.css";

/** Links of a list that is paged by cursor. @param newest null on the first page. @param older null on the last page. */
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
