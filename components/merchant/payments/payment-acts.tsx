"use client";
import { useRouter } from "next/navigation";
import { type FormEvent, type ReactNode, useMemo, useRef, useState } from "react";
import { AmountField, type Refused, readAmount } from "../../portal/acts/amount-field.tsx";
import { type Problem, ProblemNotice, problemOf } from "../../portal/acts/problem.tsx";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { Button, SubmitButton } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import styles from "./payments.module.css";

export type ActingPayment = {
  id: string;
  currency: string;
  /** null: nothing is left to capture */
  capturable: { minor: number; words: string } | null;
  refundable: { minor: number; words: string } | null;
};

type Act = "capture" | "void" | "refund";

/** Random, and the same for as long as a question stands open: asking twice moves money once. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Capture, void and refund. Each moves or frees money, so each asks and says what will happen. */
export const PaymentActs = ({ payment, locale }: { payment: ActingPayment; locale: string }) => {
  const router = useRouter();
  const [asked, setAsked] = useState<Act | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [told, setTold] = useState<string | null>(null);
  const key = useRef("");

  const ask = (act: Act) => {
    key.current = newKey();
    setProblem(null);
    setTold(null);
    setAsked(act);
  };
  const perform = async (work: () => Promise<string | null>) => {
    if (isBusy) return;
    setIsBusy(true);
    setProblem(null);
    try {
      setTold(await work());
      setAsked(null);
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setIsBusy(false);
      router.refresh();
    }
  };
  // Another amount is another wish: it gets a key of its own.
  const asking = (amountMinor?: number) => ({
    chargeId: payment.id,
    idempotencyKey: `${key.current}-${amountMinor ?? "all"}`,
    ...(amountMinor === undefined ? {} : { amountMinor }),
  });
  const capture = (amountMinor: number) =>
    perform(async () => ((await trpc.payments.capture.mutate(asking(amountMinor))).isSettled ? null : undecided));
  const giveUp = () => perform(async () => ((await trpc.payments.void.mutate(asking())).isSettled ? null : undecided));
  const refund = (amountMinor: number) =>
    perform(async () => refundWords[(await trpc.payments.refund.mutate(asking(amountMinor))).status]);
  const question = (act: Act) => ({
    isOpen: asked === act,
    onOpenChange: (isOpen: boolean) => setAsked(isOpen ? act : null),
  });
  const amount = { currency: payment.currency, locale, isBusy, problem, onBack: () => setAsked(null) };

  return (
    <div className={styles.acts}>
      {payment.capturable ? (
        <>
          <Button size="small" variant="primary" onClick={() => ask("capture")}>
            Capture
          </Button>
          <Button size="small" variant="danger" onClick={() => ask("void")}>
            Void
          </Button>
        </>
      ) : null}
      {payment.refundable ? (
        <Button size="small" onClick={() => ask("refund")}>
          Refund
        </Button>
      ) : null}
      {told ? (
        <Notice tone="note" isLive>
          {told}
        </Notice>
      ) : null}
      {payment.capturable ? (
        <>
          <Dialog {...question("capture")} title="Capture this payment?">
            <AmountForm {...amount} most={payment.capturable} verb="Capture" understood="You capture" onWish={capture}>
              <li>The amount is taken from the payer now. What is above it is released for good.</li>
            </AmountForm>
          </Dialog>
          <Dialog {...question("void")} title="Void this payment?">
            <ul className={styles.list}>
              <li>{payment.capturable.words} is released to the payer; nothing is taken.</li>
              <li>This can’t be undone. To be paid, the payment would have to be asked for anew.</li>
            </ul>
            {problem ? <ProblemNotice problem={problem} /> : null}
            <DialogActions>
              <Button onClick={() => setAsked(null)}>Keep it</Button>
              <Button variant="dangerSolid" isBusy={isBusy} onClick={giveUp}>
                Void it
              </Button>
            </DialogActions>
          </Dialog>
        </>
      ) : null}
      {payment.refundable ? (
        <Dialog {...question("refund")} title="Refund this payment?">
          <AmountForm {...amount} most={payment.refundable} verb="Refund" understood="You refund" onWish={refund}>
            <li>The amount goes back to the payer. This can’t be undone.</li>
          </AmountForm>
        </Dialog>
      ) : null}
    </div>
  );
};

const undecided =
  "The processor hasn’t answered yet. It is being asked until it does; the payment shows what became of it.";

const refundWords: Readonly<Record<"pending" | "succeeded" | "failed", string | null>> = {
  succeeded: null,
  pending: "The refund is under way. The payment shows what becomes of it.",
  failed: "The processor refused the refund. Nothing was given back.",
};

const AmountForm = ({
  currency,
  locale,
  most,
  verb,
  understood,
  isBusy,
  problem,
  onBack,
  onWish,
  children,
}: {
  currency: string;
  locale: string;
  most: { minor: number; words: string };
  verb: string;
  understood: string;
  isBusy: boolean;
  problem: Problem | null;
  onBack: () => void;
  onWish: (amountMinor: number) => void;
  children: ReactNode;
}) => {
  const [mistake, setMistake] = useState<Refused | null>(null);
  const [sent, setSent] = useState("");
  const beyond = (minor: bigint) => (minor > BigInt(most.minor) ? `That is more than ${most.words}.` : null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("amount") ?? "");
    const wish = readAmount(text, currency, locale);
    const why = typeof wish === "string" ? wish : beyond(wish);
    setMistake(why === null ? null : { text, why });
    if (why !== null) return;
    setSent(text);
    onWish(Number(wish));
  };
  const answered = useMemo(() => {
    const why = problem?.fields["/amount"];
    return why ? { text: sent, why } : null;
  }, [problem, sent]);
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <ul className={styles.list}>{children}</ul>
      <AmountField
        label={`Amount in ${currency}`}
        name="amount"
        initialMinor={most.minor}
        currency={currency}
        locale={locale}
        understood={understood}
        hint={`At most ${most.words}.`}
        beyond={beyond}
        refused={mistake ?? answered}
      />
      {problem && !problem.fields["/amount"] ? <ProblemNotice problem={problem} /> : null}
      <DialogActions>
        <Button onClick={onBack}>Back</Button>
        <SubmitButton variant="primary" aria-busy={isBusy || undefined}>
          {verb}
        </SubmitButton>
      </DialogActions>
    </form>
  );
};
