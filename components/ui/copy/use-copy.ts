import { useState } from "react";

/** Copies a text to the clipboard. `isCopied` stays true until the text changes. */
export const useCopy = (text: string): { isCopied: boolean; copy: () => Promise<void> } => {
  const [copied, setCopied] = useState<string | null>(null);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(text);
  };
  return { isCopied: copied === text, copy };
};
