"use client";
import { ReasonDialog } from "../portal/acts/reason-dialog.tsx";
import { trpc } from "../portal/acts/trpc-client.ts";
import { useQuestion } from "../portal/acts/use-question.ts";
import { Button } from "../ui/button.tsx";

/** Nobody registers with it from now on. @param merchantId whose it is; null: agents register with it */
export const RevokeInitialToken = ({
  tokenId,
  merchantId,
  name,
}: {
  tokenId: string;
  merchantId: string | null;
  name: string;
}) => {
  const { ask, question, answer } = useQuestion();
  const [one, many] = merchantId === null ? ["an agent", "Agents"] : ["an app", "Apps"];
  const revoke = (reason: string) =>
    merchantId === null
      ? trpc.operatorAgents.revokeToken.mutate({ tokenId, reason })
      : trpc.operatorMerchants.revokeToken.mutate({ tokenId, merchantId, reason });
  return (
    <>
      <Button size="small" variant="danger" aria-label={`Revoke the token of ${name}`} onClick={ask}>
        Revoke
      </Button>
      <ReasonDialog
        {...question}
        variant="dangerSolid"
        title={`Revoke the token of ${name}?`}
        verb="Revoke it"
        act={(reason) => answer(() => revoke(reason))}
      >
        Nobody can register {one} with it from now on. {many} that were registered with it stay. This can’t be undone.
      </ReasonDialog>
    </>
  );
};
