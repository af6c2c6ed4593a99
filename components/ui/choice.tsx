import type { ComponentPropsWithoutRef } from "react";
import styles from "./choice.module.css";
import { WholeWords } from "./whole-words.tsx";

type Props = Omit<ComponentPropsWithoutRef<"input">, "type"> & { type: "checkbox" | "radio" };

/** A checkbox or radio button whose whole label can be clicked. */
export const Choice = ({ children, ...input }: Props) => (
  <label className={styles.choice}>
    <input {...input} />
    <WholeWords>{children}</WholeWords>
  </label>
);
