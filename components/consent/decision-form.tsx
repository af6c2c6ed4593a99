"use client";
import { type ReactNode, useRef } from "react";

/**
 * A native form. Its first submit button is a disabled one that nobody sees, so that Enter in a field decides nothing
 * (HTML, implicit submission). A second click while the answer travels sends nothing.
 */
export const DecisionForm = ({ action, children }: { action: string; children: ReactNode }) => {
  const isSent = useRef(false);
  return (
    <form
      method="post"
      action={action}
      onSubmit={(event) => {
        if (isSent.current) event.preventDefault();
        isSent.current = true;
      }}
    >
      <button type="submit" disabled hidden />
      {children}
    </form>
  );
};
