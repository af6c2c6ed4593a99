"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { useAct } from "../../portal/acts/use-act.tsx";
import { useConfirmDialog } from "../../portal/acts/use-confirm-dialog.ts";
import styles from "../../portal/portal.module.css";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";

type Props = { merchantId: string; domain: string };

/** Checks or removes a domain. @param mayCheck false if the domain's daily checks succeed or the entry is withdrawn */
export const DomainActs = ({ mayCheck, isVerified, ...named }: Props & { mayCheck: boolean; isVerified: boolean }) => {
  const router = useRouter();
  const { isBusy, notice, perform } = useAct();
  const [isProved, setIsProved] = useState(false);
  const check = () =>
    perform(async () => {
      setIsProved(false);
      try {
        await trpc.merchantDirectory.check.mutate(named);
        setIsProved(true);
      } finally {
        router.refresh();
      }
    });
  return (
    <>
      {notice}
      {isProved ? (
        <Notice tone="good" isLive>
          The proof was found.
        </Notice>
      ) : null}
      <div className={styles.acts}>
        {mayCheck ? (
          <Button size="small" isBusy={isBusy} aria-label={`Check now: ${named.domain}`} onClick={check}>
            Check now
          </Button>
        ) : null}
        <RemoveDomain {...named} isVerified={isVerified} />
      </div>
    </>
  );
};

const RemoveDomain = ({ isVerified, ...named }: Props & { isVerified: boolean }) => {
  const { open, dialog, run } = useConfirmDialog();
  return (
    <>
      <Button size="small" variant="danger" aria-label={`Remove ${named.domain}`} onClick={open}>
        Remove
      </Button>
      <ConfirmDialog
        {...dialog}
        variant="dangerSolid"
        title={`Remove ${named.domain}?`}
        confirmLabel="Remove domain"
        effects={isVerified ? verifiedEffects : claimEffects}
        onConfirm={() => run(() => trpc.merchantDirectory.remove.mutate(named))}
      />
    </>
  );
};

const claimEffects = ["Your published proof becomes invalid. If you claim the domain again, you get a new proof."];
const verifiedEffects = [
  "The directory no longer lists the domain. If it is your only verified domain, your entry becomes pending.",
  "If an agent’s redirect URI is on this domain, the consent page no longer shows your logo and color.",
  ...claimEffects,
];
