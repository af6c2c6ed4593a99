"use client";
import { useCallback, useEffect, useRef, useState } from "react";
import { Button, ButtonLink } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Notice } from "../ui/notice.tsx";
import styles from "./demo.module.css";
import * as flow from "./demo-flow.ts";
import { type Addresses, type DemoState, freshState, type StepId, stepIds } from "./demo-flow.ts";
import { Ended, Verdict } from "./demo-outcome.tsx";
import { DemoStage } from "./demo-stage.tsx";
import { clearDemo, loadDemo, saveDemo } from "./demo-state.ts";
import { emptyStepTexts, price, stepTexts } from "./demo-texts.ts";
import { type Exchange, responseMember } from "./demo-wire.ts";
import { ExchangeView } from "./wire-view.tsx";

const after = (step: StepId): DemoState["next"] => stepIds[stepIds.indexOf(step) + 1] ?? "done";

/** The walk from two strangers to a charge, and to one that is refused: real calls to this very server. */
export const Demo = ({ addresses }: { addresses: Addresses }) => {
  const [state, setState] = useState<DemoState>(freshState);
  const [busy, setBusy] = useState<StepId | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const current = useRef<HTMLLIElement>(null);

  const update = useCallback((changes: Partial<DemoState>) => {
    setState((former) => {
      const next = { ...former, ...changes };
      saveDemo(next);
      return next;
    });
  }, []);

  const run = useCallback(
    async (
      step: StepId,
      from: DemoState,
      work: () => Promise<{
        exchanges: Exchange[];
        changes: Partial<DemoState>;
        failure: string | null;
        next?: DemoState["next"];
      }>,
    ) => {
      setBusy(step);
      setProblem(null);
      try {
        const outcome = await work();
        const exchanges = { ...from.exchanges, [step]: [...(from.exchanges[step] ?? []), ...outcome.exchanges] };
        update({ exchanges, ...outcome.changes, ...(outcome.failure ? {} : { next: outcome.next ?? after(step) }) });
        setProblem(outcome.failure);
      } catch (error) {
        setProblem(error instanceof Error ? error.message : "Something failed.");
      } finally {
        setBusy(null);
      }
    },
    [update],
  );

  // Once, in the browser: what this tab remembers, and what the consent page brought back.
  useEffect(() => {
    const recalled = loadDemo();
    setState(recalled);
    const query = new URLSearchParams(window.location.search);
    if (!query.has("state") && !query.has("error")) return;
    window.history.replaceState(null, "", "/demo");
    const brought = flow.readReturn(recalled, query, addresses);
    if ("problem" in brought) {
      setProblem(brought.problem);
      if (recalled.next === "decide")
        update({ ...recalled, next: "ask", exchanges: { meet: recalled.exchanges.meet ?? [] } });
      return;
    }
    const returned = { ...recalled, next: "token" as const };
    update(returned);
    void run("token", returned, () => flow.redeemCode(returned, brought.code, addresses));
  }, [addresses, run, update]);

  const { next } = state;
  useEffect(() => {
    if (next !== "meet") current.current?.scrollIntoView({ block: "center", behavior: "smooth" });
  }, [next]);

  // Only a payment that fits leads on to the charge.
  const check = (amountMinor: number) =>
    run("check", state, async () => {
      const outcome = await flow.checkPayment(state, addresses, amountMinor);
      const isFitting = flow.coffeeVerdict({ ...state, exchanges: { check: outcome.exchanges } }) === "valid";
      return { ...outcome, next: isFitting ? "charge" : "check" };
    });
  const charge = (step: "charge" | "refused") =>
    run(step, state, async () => {
      const { exchanges, charged, shopToken } = await flow.chargeMandate(state, addresses);
      const isWanted = step === "charge" ? charged.status < 300 : charged.status === 403;
      return { exchanges, changes: { shopToken }, failure: isWanted ? null : chargeProblem(step, charged) };
    });

  const acts: Readonly<Record<StepId, React.ReactNode>> = {
    meet: (
      <Act
        step="meet"
        busy={busy}
        onAct={() => run("meet", state, () => flow.registerParties(addresses))}
        label="Register both"
      />
    ),
    ask: (
      <Act
        step="ask"
        busy={busy}
        onAct={() => run("ask", state, () => flow.pushMandateRequest(state, addresses))}
        label="Push the request"
      />
    ),
    decide: (
      <Act
        step="decide"
        busy={busy}
        onAct={() => window.location.assign(flow.authorizeUrl(state))}
        label="Review the request"
      />
    ),
    token: <Act step="token" busy={busy} onAct={() => update({ next: "ask" })} label="Ask again" />,
    check:
      flow.coffeeVerdict(state) === "invalid" ? (
        <>
          <Act
            step="check"
            busy={busy}
            onAct={() =>
              run("check", state, async () => ({
                ...(await flow.withdrawMandate(state, addresses)),
                next: "ask" as const,
              }))
            }
            label="Ask again"
          />
          <Button disabled={busy !== null} onClick={restart}>
            Start over
          </Button>
        </>
      ) : (
        <>
          <Act
            step="check"
            busy={busy}
            onAct={() => check(flow.coffee.amountMinor)}
            label={`Check ${price(flow.coffee.amountMinor)}`}
          />
          <Button disabled={busy !== null} onClick={() => check(flow.machine.amountMinor)}>
            Check {price(flow.machine.amountMinor)} first
          </Button>
        </>
      ),
    charge: (
      <Act
        step="charge"
        busy={busy}
        onAct={() => charge("charge")}
        label={`Charge ${price(flow.coffee.amountMinor)}`}
      />
    ),
    stop: (
      <>
        <ButtonLink
          variant="primary"
          href={`/wallet/mandates/${state.mandateId}?from=demo`}
          onClick={() => update({ next: "refused" })}
        >
          Stop it in my wallet
        </ButtonLink>
        <Button
          disabled={busy !== null}
          onClick={() => run("stop", state, () => flow.revokeMandateAsAgent(state, addresses))}
        >
          Let the agent revoke
        </Button>
      </>
    ),
    refused: (
      <Act
        step="refused"
        busy={busy}
        onAct={() => charge("refused")}
        label={`Charge ${price(flow.coffee.amountMinor)} again`}
      />
    ),
  };

  return (
    <>
      <DemoStage state={state} />
      <ol className={styles.steps}>
        {stepIds.map((step, index) => {
          const isDone = state.next === "done" || stepIds.indexOf(state.next) > index;
          const isCurrent = state.next === step;
          const exchanges = state.exchanges[step] ?? [];
          return (
            <li
              key={step}
              ref={isCurrent ? current : undefined}
              className={`${styles.step} ${isCurrent ? styles.current : isDone ? styles.done : styles.later}`}
              aria-current={isCurrent ? "step" : undefined}
            >
              <span className={styles.number}>{isDone ? <Icon name="check" size={16} /> : index + 1}</span>
              <div className={styles.text}>
                <span className={styles.actor}>{stepTexts[step].actor}</span>
                <h2>{stepTexts[step].title}</h2>
                <p>{stepTexts[step].text}</p>
                {isCurrent ? <div className={styles.acts}>{acts[step]}</div> : null}
                {isCurrent && problem ? (
                  <Notice tone="bad" isLive>
                    {problem}
                  </Notice>
                ) : null}
                {isDone || step === "check" ? (
                  <Verdict step={step} exchanges={exchanges} granted={state.granted} />
                ) : null}
              </div>
              <div className={styles.wire}>
                {isCurrent && exchanges.length === 0 ? (
                  <p className={styles.empty}>
                    {emptyStepTexts[step] ?? "The request and its answer will stand here."}
                  </p>
                ) : null}
                {exchanges.map((exchange, place) => (
                  <ExchangeView
                    key={exchange.id}
                    exchange={exchange}
                    isOpen={place === exchanges.length - 1 && isLatest(state, step)}
                  />
                ))}
              </div>
            </li>
          );
        })}
      </ol>
      {state.next === "done" ? <Ended onRestart={restart} /> : null}
      <div className={styles.foot}>
        <p className="tiny">
          Everything above is real HTTP from this tab to this server. The private keys never left your browser.
        </p>
        <Button size="small" onClick={restart}>
          Start over
        </Button>
      </div>
    </>
  );

  function restart() {
    clearDemo();
    setProblem(null);
    setState(freshState);
    window.scrollTo({ top: 0, behavior: "smooth" });
  }
};

const isLatest = (state: DemoState, step: StepId): boolean =>
  step === stepIds.findLast((candidate) => (state.exchanges[candidate] ?? []).length > 0);

const chargeProblem = (step: "charge" | "refused", charged: Exchange): string => {
  if (step === "refused" && charged.status < 300) {
    return "The charge went through, so the mandate still stands. Stop it in your wallet first, then try again.";
  }
  return `The charge was answered with ${charged.status}. ${String(responseMember(charged, "detail") ?? "")}`;
};

const Act = ({ step, busy, onAct, label }: { step: StepId; busy: StepId | null; onAct: () => void; label: string }) => (
  <Button variant="primary" isBusy={busy === step} disabled={busy !== null && busy !== step} onClick={onAct}>
    {label}
  </Button>
);
