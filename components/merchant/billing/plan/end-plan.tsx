"use client";
import { useRouter } from "next/navigation";
import { ConfirmDialog } from "../../../portal/acts/confirm-dialog.tsx";
import { trpc } from "../../../portal/acts/trpc-client.ts";
import { textField, useAct } from "../../../portal/acts/use-act.tsx";
import { useConfirmDialog } from "../../../portal/acts/use-confirm-dialog.ts";
import styles from "../../../portal/portal.module.css";
import { Button } from "../../../ui/button.tsx";
import { Choice } from "../../../ui/choice.tsx";

type Props = { merchantId: string; planName: string /** the end of the period */; periodEnd: string };

export const EndPlan = ({ merchantId, planName, periodEnd }: Props) => {
  const { open, dialog, run } = useConfirmDialog();
  const end = (form: FormData) => {
    const ends = textField(form, "ends") === "now" ? ("now" as const) : ("period_end" as const);
    return run(() => trpc.merchantPlans.cancel.mutate({ merchantId, ends }));
  };
  return (
    <>
      <Button variant="danger" size="small" onClick={open}>
        End plan
      </Button>
      <ConfirmDialog
        {...dialog}
        title={`End ${planName}?`}
        confirmLabel="End plan"
        cancelLabel="Keep plan"
        variant="dangerSolid"
        effects={[
          "The final invoice covers the usage and the flat fee until the plan ends.",
          "After the end, new payments are refused. Earlier payments can still be captured, voided and refunded.",
          "After the end, only Paygrant can assign a plan to your merchant.",
        ]}
        fields={
          <fieldset className={styles.group}>
            <legend className="small">When</legend>
            <Choice type="radio" name="ends" value="period_end" defaultChecked>
              At the end of the period: {periodEnd}
            </Choice>
            <Choice type="radio" name="ends" value="now">
              Now
            </Choice>
          </fieldset>
        }
        onConfirm={end}
      />
    </>
  );
};

/** Removes the end of the plan. */
export const KeepPlan = ({ merchantId }: { merchantId: string }) => {
  const router = useRouter();
  const { isBusy, notice, perform } = useAct();
  const keep = () =>
    perform(async () => {
      await trpc.merchantPlans.cancel.mutate({ merchantId, ends: "never" });
      router.refresh();
    });
  return (
    <div className={styles.acts}>
      <Button size="small" isBusy={isBusy} onClick={keep}>
        Keep plan
      </Button>
      {notice}
    </div>
  );
};
