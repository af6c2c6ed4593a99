"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { type Problem, ProblemNotice, problemOf } from "../../portal/acts/problem.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { Button } from "../../ui/button.tsx";

/** Sends the event once more, as a delivery of its own, and leads there. */
export const Replay = ({ deliveryId }: { deliveryId: string }) => {
  const router = useRouter();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const replay = async () => {
    setIsBusy(true);
    setProblem(null);
    try {
      const made = await trpc.webhooks.replay.mutate({ deliveryId });
      router.push(`/merchant/webhooks/deliveries/${made.deliveryId}`);
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <>
      <Button size="small" isBusy={isBusy} onClick={replay}>
        Send again
      </Button>
      {problem ? <ProblemNotice problem={problem} /> : null}
    </>
  );
};
