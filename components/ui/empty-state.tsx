import type { ReactNode } from "react";
import styles from "./empty-state.module.css";
import { WholeWords } from "./whole-words.tsx";

/** `isPage`: the empty state is the whole page, so its title is the page's heading. */
export const EmptyState = ({
  title,
  children,
  act,
  isPage = false,
}: {
  title: string;
  children: ReactNode;
  act?: ReactNode;
  isPage?: boolean;
}) => (
  <div className={`card ${styles.empty}`}>
    {isPage ? (
      <h1>
        <WholeWords>{title}</WholeWords>
      </h1>
    ) : (
      <h2>
        <WholeWords>{title}</WholeWords>
      </h2>
    )}
    <p className="muted small">
      <WholeWords>{children}</WholeWords>
    </p>
    {act}
  </div>
);
