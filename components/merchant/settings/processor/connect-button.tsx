"use client";
import { openPage } from "../../../portal/acts/open-page.ts";
import { trpc } from "../../../portal/acts/trpc-client.ts";
import { useAct } from "../../../portal/acts/use-act.tsx";
import { useStepUp } from "../../../portal/acts/use-step-up.tsx";
import { Button } from "../../../ui/button.tsx";
import styles from "./processor.module.css";

type ConnectButtonProps = { merchantId: string; email: string; label: string; variant?: "plain" | "primary" };

/** Opens Stripe's page for the merchant's account. */
export const ConnectButton = ({ merchantId, email, label, variant = "primary" }: ConnectButtonProps) => {
  const stepUp = useStepUp(email, "Confirm and continue");
  const { isBusy, notice, perform } = useAct(stepUp.handleError);
  const connect = () =>
    perform(async () => {
      const { pageUrl } = await trpc.processor.connect.mutate({ merchantId });
      await openPage(pageUrl);
    });
  return (
    <div className={styles.act}>
      <Button variant={variant} isBusy={isBusy} onClick={connect}>
        {label}
      </Button>
      {notice}
      {stepUp.dialog}
    </div>
  );
};
