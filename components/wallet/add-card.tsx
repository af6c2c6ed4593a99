"use client";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { trpc } from "../portal/acts/trpc-client.ts";
import { useAct } from "../portal/acts/use-act.tsx";
import { useStepUp } from "../portal/acts/use-step-up.tsx";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import styles from "./passkey-acts.module.css";

/** Leads to the processor's own page, where the card is given. */
export const AddCard = ({ email }: { email: string }) => {
  const stepUp = useStepUp(email, "Confirm and go on");
  const act = useAct(stepUp.asks);
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

const describeCardSetup = (told: CardSetupResult): { tone: "good" | "note" | "warn"; text: string } => {
  if (told.state === "added") return { tone: "good", text: `${told.label} was added. Mandates can pay with it.` };
  return told.state === "open"
    ? { tone: "note", text: "Stripe hasn’t told us of your card yet. It will stand here within minutes." }
    : { tone: "warn", text: "No card was added. You can begin again." };
};

/** Back from the processor's page: asks what came of it, and says so. */
export const FinishCard = ({ setupId }: { setupId: string }) => {
  const router = useRouter();
  const { perform, notice } = useAct();
  const [told, setTold] = useState<CardSetupResult | null>(null);
  const asked = useRef<string | null>(null);
  useEffect(() => {
    if (asked.current === setupId) return;
    asked.current = setupId;
    void perform(async () => {
      setTold(await trpc.wallet.finishCard.mutate({ setupId }));
      router.refresh();
    });
  }, [setupId, perform, router]);
  if (notice) return notice;
  const { tone, text } = told
    ? describeCardSetup(told)
    : { tone: "note" as const, text: "Asking Stripe about your card…" };
  return (
    <Notice tone={tone} isLive>
      {text}
    </Notice>
  );
};
