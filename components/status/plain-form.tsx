import type { ReactNode } from "react";
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
      <h2>{title}</h2>
      <p className="small muted">{text}</p>
    </div>
    {children}
  </form>
);
