"use client";
import { Dialog as Base } from "@base-ui/react/dialog";
import styles from "./dialog.module.css";
import type { DialogProps } from "./dialog.tsx";

const DialogPopup = ({ isOpen, onOpenChange, title, children }: DialogProps) => (
  <Base.Root open={isOpen} onOpenChange={onOpenChange}>
    <Base.Portal>
      <Base.Backdrop className={styles.backdrop} />
      <Base.Popup className={styles.popup}>
        <Base.Title className={styles.title}>{title}</Base.Title>
        {children}
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
);

export default DialogPopup;
