"use client";
import { AskDialog } from "../../portal/acts/ask-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useQuestion } from "../../portal/acts/use-question.ts";
import { Button } from "../../ui/button.tsx";

/** Ends an initial access token of a merchant's; asks first. */
export const RevokeToken = ({ tokenId, name }: { tokenId: string; name: string }) => {
  const { ask, question, answer } = useQuestion();
  return (
    <>
      <Button size="small" variant="danger" aria-label={`Revoke ${name}`} onClick={ask}>
        Revoke
      </Button>
      <AskDialog
        {...question}
        field={null}
        variant="dangerSolid"
        title={`Revoke ${name}?`}
        verb="Revoke it"
        leave="Keep it"
        act={() => answer(() => trpc.apps.revokeToken.mutate({ tokenId }))}
      >
        Nobody can register an app with it from now on. Apps that were registered with it stay. This can’t be undone.
      </AskDialog>
    </>
  );
};
