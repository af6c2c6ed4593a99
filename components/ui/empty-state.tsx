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
}) => {
  const Title = isPage ? "h1" : "h2";
  return (
    <div className={`card ${styles.empty}`}>
      <Title>
        <WholeWords>{title}</WholeWords>
      </Title>
      <p className="muted small">
        <WholeWords>{children}</WholeWords>
      </p>
      {act}
    </div>
  );
};
