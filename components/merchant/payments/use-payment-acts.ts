"use client";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import type { RefundReason } from "#server/charges/rules/refund.ts";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useAct } from "../../portal/acts/use-act.tsx";
import { makeRequestKeys } from "./request-keys.ts";

export type PaymentAct = "capture" | "void" | "refund";

const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");

const refusedRefund = "The processor refused the refund. No money was returned.";

/** State of the dialogs that capture, void and refund a payment. `PendingPayment` says what is still in progress. */
export const usePaymentActs = (chargeId: string) => {
  const router = useRouter();
  const { isBusy, problem, notice, perform, showProblem } = useAct();
  const [openAct, setOpenAct] = useState<PaymentAct | null>(null);
  const [message, setMessage] = useState<string | null>(null);
  const keyOf = useRef(makeRequestKeys(newKey));

  const open = (act: PaymentAct) => {
    keyOf.current = makeRequestKeys(newKey);
    showProblem(null);
    setMessage(null);
    setOpenAct(act);
  };
  const run = (work: () => Promise<string | null>) =>
    perform(async () => {
      try {
        setMessage(await work());
        setOpenAct(null);
      } finally {
        router.refresh();
      }
    });
  const request = <Content extends object>(content: Content) => ({
    ...content,
    chargeId,
    idempotencyKey: keyOf.current(content),
  });
  const { payments } = trpc;
  return {
    openAct,
    open,
    close: () => setOpenAct(null),
    isBusy,
    problem,
    notice,
    message,
    capture: (amountMinor: number) =>
      run(async () => {
        await payments.capture.mutate(request({ amountMinor }));
        return null;
      }),
    void: () =>
      run(async () => {
        await payments.void.mutate(request({}));
        return null;
      }),
    refund: (amountMinor: number, { reason, note }: { reason: string; note: string }) =>
      run(async () => {
        const content = { amountMinor, reason: reason as RefundReason, ...(note === "" ? {} : { note }) };
        return (await payments.refund.mutate(request(content))).status === "failed" ? refusedRefund : null;
      }),
  };
};

export type PaymentActsState = ReturnType<typeof usePaymentActs>;
