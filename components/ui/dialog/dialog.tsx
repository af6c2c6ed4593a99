"use client";
import { lazy, type ReactNode, Suspense, useState } from "react";
import styles from "./dialog.module.css";
import type { DialogProps } from "./dialog-popup.tsx";

const DialogPopup = lazy(() => import("./dialog-popup.tsx"));

/**
 * A modal dialog. The focus moves into the dialog, stays there, and returns when it closes. Escape and a click outside
 * close it. The code is loaded when the first dialog opens, because most visits open none.
 */
export const Dialog = (props: DialogProps) => {
  const [wasOpen, setWasOpen] = useState(props.isOpen);
  if (props.isOpen && !wasOpen) setWasOpen(true);
  if (!wasOpen) return null;
  return (
    <Suspense fallback={null}>
      <DialogPopup {...props} />
    </Suspense>
  );
};

export const DialogActions = ({ children }: { children: ReactNode }) => <div className={styles.acts}>{children}</div>;
