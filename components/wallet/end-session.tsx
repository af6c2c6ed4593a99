"use client";
import { useRouter } from "next/navigation";
import { trpc } from "../portal/acts/trpc-client.ts";
import { useAct } from "../portal/acts/use-act.tsx";
import { Button } from "../ui/button.tsx";

export const EndSession = ({ sessionId }: { sessionId: string }) => {
  const router = useRouter();
  const act = useAct();
  const end = () =>
    act.perform(async () => {
      await trpc.auth.revokeSession.mutate({ sessionId });
      router.refresh();
    });
  return (
    <>
      <Button size="small" variant="danger" isBusy={act.isBusy} onClick={end}>
        End session
      </Button>
      {act.notice}
    </>
  );
};
