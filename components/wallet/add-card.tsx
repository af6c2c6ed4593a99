"use client";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { trpc } from "../portal/acts/trpc-client.ts";
import { useAct } from "../portal/acts/use-act.tsx";
import { useStepUp } from "../portal/acts/use-step-up.tsx";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import styles from "./passkey-actions.module.css";

/** Opens the processor's page on which the payer enters a card. */
export const AddCard = ({ email }: { email: string }) => {
  const stepUp = useStepUp(email, "Confirm and continue");
  const act = useAct(stepUp.handleError);
  const add = () =>
    act.perform(async () => {
      const { pageUrl } = await trpc.wallet.addCard.mutate();
      window.location.assign(pageUrl);
    });
  return (
    <div className={styles.add}>
      <Button size="small" variant="primary" isBusy={act.isBusy} onClick={add}>
        Add a card at Stripe
      </Button>
      {act.notice}
      {stepUp.dialog}
    </div>
  );
};

type CardSetupResult = Awaited<ReturnType<typeof trpc.wallet.finishCard.mutate>>;

const describeResult = (result: CardSetupResult): { tone: "good" | "note" | "warn"; text: string } => {
  if (result.state === "added") return { tone: "good", text: `${result.label} was added. Mandates can use it now.` };
  return result.state === "open"
    ? { tone: "note", text: "Stripe hasn’t confirmed your card yet. It will appear here within minutes." }
    : { tone: "warn", text: "No card was added. You can try again." };
};

/** After the return from the processor's page: finishes the setup and shows the result. */
export const FinishCard = ({ setupId }: { setupId: string }) => {
  const router = useRouter();
  const { perform, notice } = useAct();
  const [result, setResult] = useState<CardSetupResult | null>(null);
  const requested = useRef<string | null>(null);
  useEffect(() => {
    if (requested.current === setupId) return;
    requested.current = setupId;
    void perform(async () => {
      setResult(await trpc.wallet.finishCard.mutate({ setupId }));
      router.refresh();
    });
  }, [setupId, perform, router]);
  if (notice) return notice;
  const { tone, text } = result
    ? describeResult(result)
    : { tone: "note" as const, text: "Checking your card with Stripe…" };
  return (
    <Notice tone={tone} isLive>
      {text}
    </Notice>
  );
};
