"use client";
import { openPage } from "../../../portal/acts/open-page.ts";
import { trpc } from "../../../portal/acts/trpc-client.ts";
import { useAct } from "../../../portal/acts/use-act.tsx";
import { useStepUp } from "../../../portal/acts/use-step-up.tsx";
import { useFinish } from "../../../portal/forms/use-finish.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice, type NoticeTone } from "../../../ui/notice.tsx";

/**
 * Opens Stripe's page, on which the member enters a card for the merchant's invoices.
 * @param email of the signed-in member
 */
export const AddInvoiceCard = ({ merchantId, label, email }: { merchantId: string; label: string; email: string }) => {
  const stepUp = useStepUp(email, "Confirm and continue");
  const { isBusy, notice, perform } = useAct(stepUp.handleError);
  const add = () =>
    perform(async () => {
      const { pageUrl } = await trpc.merchantCollection.addCard.mutate({ merchantId });
      await openPage(pageUrl);
    });
  return (
    <>
      <Button size="small" isBusy={isBusy} onClick={add}>
        {label}
      </Button>
      {notice}
      {stepUp.dialog}
    </>
  );
};

type Result = Awaited<ReturnType<typeof trpc.merchantCollection.finishCard.mutate>>;

/** Reads the result once after the return from Stripe's page, and shows it. */
export const FinishInvoiceCard = ({ merchantId, setupId }: { merchantId: string; setupId: string }) => {
  const { result, notice } = useFinish(setupId, () =>
    trpc.merchantCollection.finishCard.mutate({ merchantId, setupId }),
  );
  if (notice) return notice;
  const { tone, text } = messageOf(result);
  return (
    <Notice tone={tone} isLive>
      {text}
    </Notice>
  );
};

const messageOf = (result: Result | null): { tone: NoticeTone; text: string } => {
  switch (result?.state) {
    case undefined:
      return { tone: "note", text: "Checking with Stripe whether a card was added …" };
    case "added":
      return { tone: "good", text: `${result.label} was added. Paygrant now tries to pay your open invoices with it.` };
    case "open":
      return {
        tone: "note",
        text: "Stripe hasn’t confirmed the card yet. As soon as Stripe confirms it, Paygrant tries to pay your open invoices with it.",
      };
    case "ended":
      return {
        tone: "warn",
        text: "No card was added. Stripe’s page expired, or another card was added in the meantime. Try again.",
      };
  }
};
