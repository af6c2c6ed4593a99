"use client";
import { useRouter } from "next/navigation";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useAct } from "../../portal/acts/use-act.tsx";
import { Button } from "../../ui/button.tsx";

/** Resends the event as a new delivery, and opens that delivery. */
export const Replay = ({ deliveryId }: { deliveryId: string }) => {
  const router = useRouter();
  const { isBusy, notice, perform } = useAct();
  const replay = () =>
    perform(async () => {
      const replayed = await trpc.webhooks.replay.mutate({ deliveryId });
      router.push(`/merchant/webhooks/deliveries/${replayed.deliveryId}`);
    });
  return (
    <>
      <Button size="small" isBusy={isBusy} onClick={replay}>
        Resend
      </Button>
      {notice}
    </>
  );
};
