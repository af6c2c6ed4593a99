"use client";
import { openPage } from "../../portal/acts/open-page.ts";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useAct } from "../../portal/acts/use-act.tsx";
import { Button } from "../../ui/button.tsx";
import { selectMerchant } from "../select-merchant.ts";

/** The button that joins the team. Opening the link changes nothing, because mail scanners open links. */
export const JoinTeam = ({ token, merchantName }: { token: string; merchantName: string }) => {
  const { isBusy, notice, perform } = useAct();
  const accept = () =>
    perform(async () => {
      const { merchantId } = await trpc.team.accept.mutate({ token });
      selectMerchant(merchantId);
      await openPage("/merchant");
    });
  return (
    <>
      {notice}
      <Button variant="primary" isBusy={isBusy} onClick={accept}>
        Join {merchantName}
      </Button>
    </>
  );
};
