import { Button } from "../button.tsx";
import type { useCopy } from "./use-copy.ts";

/** The accessible name starts with the visible word. @param label what is copied */
export const CopyButton = ({ label, isCopied, copy }: { label: string } & ReturnType<typeof useCopy>) => {
  const verb = isCopied ? "Copied" : "Copy";
  return (
    <Button size="small" aria-label={`${verb} ${label}`} onClick={copy}>
      {verb}
    </Button>
  );
};
