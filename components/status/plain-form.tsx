import type { ReactNode } from "react";
import { WholeWords } from "../ui/whole-words.tsx";
import styles from "./plain-form.module.css";

/** A native form in a card, which works without JavaScript. */
export const PlainForm = ({
  title,
  text,
  action,
  children,
}: {
  title: string;
  text: ReactNode;
  action: string;
  children: ReactNode;
}) => (
  <form method="post" action={action} className={`card ${styles.form}`}>
    <div>
      <h2>
        <WholeWords>{title}</WholeWords>
      </h2>
      <p className="small muted">
        <WholeWords>{text}</WholeWords>
      </p>
    </div>
    {children}
  </form>
);
