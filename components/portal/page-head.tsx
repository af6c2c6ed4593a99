import type { ReactNode } from "react";
import { WholeWords } from "../ui/whole-words.tsx";
import styles from "./page-head.module.css";

/** The title of a page with a pill beside it. */
export const StateTitle = ({ title, state }: { title: string; state: ReactNode }) => (
  <div className={styles.title}>
    <h1>
      <WholeWords>{title}</WholeWords>
    </h1>
    {state}
  </div>
);

/** The actions of a page or section. All their buttons have the small size. */
export const HeadActs = ({ children }: { children: ReactNode }) =>
  children ? <div className={styles.act}>{children}</div> : null;

/** @param state a pill beside the title */
export const PageHead = ({
  title,
  state,
  act,
  children,
}: {
  title: string;
  state?: ReactNode;
  act?: ReactNode;
  children?: ReactNode;
}) => (
  <div className={styles.head}>
    <div className={styles.words}>
      {state ? (
        <StateTitle title={title} state={state} />
      ) : (
        <h1>
          <WholeWords>{title}</WholeWords>
        </h1>
      )}
      {children ? (
        <p className="muted small">
          <WholeWords>{children}</WholeWords>
        </p>
      ) : null}
    </div>
    <HeadActs>{act}</HeadActs>
  </div>
);

/** @param id for links to the section */
export const Section = ({
  title,
  id,
  act,
  children,
}: {
  title: string;
  id?: string;
  act?: ReactNode;
  children: ReactNode;
}) => (
  <section className={styles.section} id={id}>
    <div className={styles.head}>
      <h2>
        <WholeWords>{title}</WholeWords>
      </h2>
      <HeadActs>{act}</HeadActs>
    </div>
    {children}
  </section>
);

export const CardGrid = ({ children }: { children: ReactNode }) => <div className={styles.grid}>{children}</div>;
