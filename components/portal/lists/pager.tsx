import { ButtonLink } from "../../ui/button.tsx";
import styles from "./pager.module.css";

const english = { pages: "Pages", newest: "Newest", older: "Older" };

/**
 * Links of a list that is paged by cursor. @param newest null on the first page. @param older null on the last page.
 */
export const Pager = ({
  newest,
  older,
  texts = english,
}: {
  newest: string | null;
  older: string | null;
  /** Payer-facing pages pass them in the payer's language. */
  texts?: typeof english | undefined;
}) =>
  newest || older ? (
    <nav className={styles.pager} aria-label={texts.pages}>
      {newest ? (
        <ButtonLink href={newest} size="small">
          {texts.newest}
        </ButtonLink>
      ) : (
        <span />
      )}
      {older ? (
        <ButtonLink href={older} size="small">
          {texts.older}
        </ButtonLink>
      ) : null}
    </nav>
  ) : null;
