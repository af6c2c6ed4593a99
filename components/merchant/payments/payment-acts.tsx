"use client";
import { type Ref, useRef, useState } from "react";
import { refundReasonLabels } from "../../format/labels/payment-labels.ts";
import { ConfirmDialog } from "../../portal/acts/confirm-dialog.tsx";
import { textField } from "../../portal/acts/use-act.tsx";
import styles from "../../portal/portal.module.css";
import { Button } from "../../ui/button.tsx";
import { Field, Select } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { Notice } from "../../ui/notice.tsx";
import { AmountDialog, type MaximumAmount } from "./amount-dialog.tsx";
import { type PaymentAct, type PaymentActsState, usePaymentActs } from "./use-payment-acts.ts";

export type ActingPayment = {
  id: string;
  currency: string;
  /** null: the payment can't be captured */
  capturable: MaximumAmount | null;
  /** null: the payment can't be refunded */
  refundable: MaximumAmount | null;
};

const isOffered = ({ capturable, refundable }: ActingPayment, act: PaymentAct): boolean =>
  (act === "refund" ? refundable : capturable) !== null;

/**
 * Capture, void and refund. Each moves or releases money, so each explains its effect and asks for confirmation. If an
 * action is refused and the refreshed page no longer offers it, its dialog is gone. The refusal is then shown beside the
 * buttons.
 */
export const PaymentActs = ({ payment, locale }: { payment: ActingPayment; locale: string }) => {
  const acts = usePaymentActs(payment.id);
  const { capturable, refundable, currency } = payment;
  const money = { currency, locale, acts };
  return (
    <div className={styles.acts}>
      {capturable ? (
        <>
          <Button size="small" variant="primary" onClick={() => acts.open("capture")}>
            Capture
          </Button>
          <Button size="small" variant="danger" onClick={() => acts.open("void")}>
            Void
          </Button>
        </>
      ) : null}
      {refundable ? (
        <Button size="small" onClick={() => acts.open("refund")}>
          Refund
        </Button>
      ) : null}
      {acts.message ? (
        <Notice tone="note" isLive>
          {acts.message}
        </Notice>
      ) : null}
      {acts.openAct !== null && !isOffered(payment, acts.openAct) ? acts.notice : null}
      {capturable ? <CaptureDialog {...money} maximum={capturable} /> : null}
      {capturable ? <VoidDialog acts={acts} amount={capturable.text} /> : null}
      {refundable ? <RefundDialog {...money} maximum={refundable} /> : null}
    </div>
  );
};

type MoneyProps = { maximum: MaximumAmount; currency: string; locale: string; acts: PaymentActsState };

const CaptureDialog = ({ acts, ...money }: MoneyProps) => (
  <AmountDialog
    {...money}
    acts={acts}
    act="capture"
    title="Capture this payment?"
    verb="Capture"
    understood="You capture"
    effect="The amount is charged to the payer now. The rest of the hold is released permanently."
    onSubmit={acts.capture}
  />
);

const RefundDialog = ({ acts, ...money }: MoneyProps) => {
  const [isNoteMissing, setNoteMissing] = useState(false);
  const note = useRef<HTMLInputElement>(null);
  const submit = (amountMinor: number, form: FormData) => {
    const entered = { reason: textField(form, "reason"), note: textField(form, "note").trim() };
    const isMissing = entered.reason === "other" && entered.note === "";
    setNoteMissing(isMissing);
    if (isMissing) note.current?.focus();
    else acts.refund(amountMinor, entered);
  };
  return (
    <AmountDialog
      {...money}
      acts={acts}
      act="refund"
      title="Refund this payment?"
      verb="Refund"
      understood="You refund"
      effect="The amount is returned to the payer. This can’t be undone."
      fields={<RefundReasonFields note={note} isNoteMissing={isNoteMissing} onChange={() => setNoteMissing(false)} />}
      onSubmit={submit}
    />
  );
};

const RefundReasonFields = ({
  note,
  isNoteMissing,
  onChange,
}: {
  note: Ref<HTMLInputElement>;
  isNoteMissing: boolean;
  onChange: () => void;
}) => {
  const [reason, setReason] = useState<string>("requested_by_customer");
  return (
    <>
      <Select
        label="Reason"
        name="reason"
        value={reason}
        onChange={({ target }) => {
          setReason(target.value);
          onChange();
        }}
      >
        <Options labels={refundReasonLabels} />
      </Select>
      {reason === "other" ? (
        <Field
          label="Note"
          name="note"
          ref={note}
          required
          maxLength={200}
          hint="The payer sees the reason and this note."
          error={isNoteMissing ? "Enter a note that explains the refund." : null}
          onChange={onChange}
        />
      ) : (
        <p className="tiny muted">The payer sees the reason.</p>
      )}
    </>
  );
};

const VoidDialog = ({ acts, amount }: { acts: PaymentActsState; amount: string }) => (
  <ConfirmDialog
    isOpen={acts.openAct === "void"}
    onClose={acts.close}
    isBusy={acts.isBusy}
    notice={acts.notice}
    title="Void this payment?"
    confirmLabel="Void payment"
    cancelLabel="Keep payment"
    variant="dangerSolid"
    effects={[
      `${amount} is released to the payer, and nothing is charged.`,
      "This can’t be undone. To get paid, create a new payment.",
    ]}
    onConfirm={acts.void}
  />
);
