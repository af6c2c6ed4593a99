"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { messageOf, trpc } from "../portal/acts/trpc-client.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";

export const EndSession = ({ sessionId }: { sessionId: string }) => {
  const router = useRouter();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const end = async () => {
    setIsBusy(true);
    try {
      await trpc.auth.revokeSession.mutate({ sessionId });
      router.refresh();
    } catch (error) {
      setProblem(messageOf(error));
      setIsBusy(false);
    }
  };
  return (
    <>
      <Button size="small" variant="danger" isBusy={isBusy} onClick={end}>
        End session
      </Button>
      {problem ? (
        <Notice tone="bad" isLive>
          {problem}
        </Notice>
      ) : null}
    </>
  );
};
