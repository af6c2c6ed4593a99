"use client";
import { Button } from "../ui/button.tsx";
import { trpc } from "../wallet/trpc-client.ts";
import { ReasonDialog } from "./reason-dialog.tsx";
import { useQuestion } from "./use-question.ts";

/** Nobody registers an agent with it from now on. */
export const RevokeAgentToken = ({ tokenId, name }: { tokenId: string; name: string }) => {
  const { ask, question, answer } = useQuestion();
  return (
    <>
      <Button size="small" variant="danger" aria-label={`Revoke the token of ${name}`} onClick={ask}>
        Revoke
      </Button>
      <ReasonDialog
        {...{ ...question, variant: "dangerSolid" }}
        title={`Revoke the token of ${name}?`}
        verb="Revoke it"
        act={(reason) => answer(() => trpc.operatorAgents.revokeToken.mutate({ tokenId, reason }))}
      >
        Nobody can register an agent with it from now on. Agents that were registered with it stay. This can’t be
        undone.
      </ReasonDialog>
    </>
  );
};
