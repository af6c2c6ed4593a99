import { useState } from "react";

/** Copies a text to the clipboard. `isCopied` stays true after the first copy. */
export const useCopy = (text: string): { isCopied: boolean; copy: () => Promise<void> } => {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
  };
  return { isCopied, copy };
};
