"use client";
import { Dialog as Base } from "@base-ui/react/dialog";
import type { ReactNode } from "react";
import { WholeWords } from "../whole-words.tsx";
import styles from "./dialog.module.css";

export type DialogProps = {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  title: ReactNode;
  children: ReactNode;
};

const DialogPopup = ({ isOpen, onOpenChange, title, children }: DialogProps) => (
  <Base.Root open={isOpen} onOpenChange={onOpenChange}>
    <Base.Portal>
      <Base.Backdrop className={styles.backdrop} />
      <Base.Popup className={styles.popup}>
        <Base.Title className={styles.title}>
          <WholeWords>{title}</WholeWords>
        </Base.Title>
        {children}
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
);

export default DialogPopup;
