"use client";
import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { trpc } from "../../../portal/acts/trpc-client.ts";
import { useAct } from "../../../portal/acts/use-act.tsx";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import styles from "./processor.module.css";

/** Asks Stripe for the current state of the account. */
export const CheckAgain = ({ merchantId }: { merchantId: string }) => {
  const { isBusy, notice, perform } = useCheck(merchantId);
  return (
    <div className={styles.act}>
      <Button isBusy={isBusy} onClick={perform}>
        Check again
      </Button>
      {notice}
    </div>
  );
};

/** Requests the account's state once after the return from Stripe's page, and refreshes the page. */
export const CheckOnReturn = ({ merchantId }: { merchantId: string }) => {
  const { isBusy, notice, perform } = useCheck(merchantId);
  const isRequested = useRef(false);
  useEffect(() => {
    if (isRequested.current) return;
    isRequested.current = true;
    void perform();
  }, [perform]);
  if (isBusy) {
    return (
      <Notice tone="note" isLive>
        Asking Stripe for the state of your account …
      </Notice>
    );
  }
  return notice;
};

const useCheck = (merchantId: string) => {
  const router = useRouter();
  const { isBusy, notice, perform } = useAct();
  const check = () =>
    perform(async () => {
      await trpc.processor.check.mutate({ merchantId });
      router.refresh();
    });
  return { isBusy, notice, perform: check };
};
