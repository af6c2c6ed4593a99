"use client";
import { type RefObject, useEffect, useRef } from "react";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Notice } from "../ui/notice.tsx";
import styles from "./demo.module.css";
import { Ended, Verdict } from "./demo-outcome.tsx";
import { DemoStage } from "./demo-stage.tsx";
import { type DemoState, type StepId, stepIds } from "./demo-steps.ts";
import { emptyStepTexts, stepText } from "./demo-texts.ts";
import type { Addresses } from "./protocol/demo-flow.ts";
import { StepActions } from "./step-actions.tsx";
import { type DemoControls, useDemo } from "./use-demo.ts";
import { ExchangeView } from "./wire-view.tsx";

/** The demo registers two clients, charges a mandate, and ends with a refused charge. All calls go to this server. */
export const Demo = ({ addresses, hasDemoPayer }: { addresses: Addresses; hasDemoPayer: boolean }) => {
  const demo = useDemo(addresses);
  const { state, restart } = demo;
  const currentItem = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (state.next !== "register") currentItem.current?.scrollIntoView({ block: "center", behavior: "smooth" });
  }, [state.next]);
  return (
    <>
      <DemoStage state={state} />
      <ol className={styles.steps}>
        {stepIds.map((step) => (
          <Step key={step} step={step} demo={demo} hasDemoPayer={hasDemoPayer} currentItem={currentItem} />
        ))}
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
};

const Step = ({
  step,
  demo,
  hasDemoPayer,
  currentItem,
}: {
  step: StepId;
  demo: DemoControls;
  hasDemoPayer: boolean;
  currentItem: RefObject<HTMLLIElement | null>;
}) => {
  const { state, problem } = demo;
  const index = stepIds.indexOf(step);
  const isDone = state.next === "done" || stepIds.indexOf(state.next) > index;
  const isCurrent = state.next === step;
  const { actor, title, text } = stepText(step, { hasDemoPayer });
  return (
    <li
      ref={isCurrent ? currentItem : undefined}
      className={`${styles.step} ${isCurrent ? styles.current : isDone ? styles.done : styles.later}`}
      aria-current={isCurrent ? "step" : undefined}
    >
      <span className={styles.number}>{isDone ? <Icon name="check" size={16} /> : index + 1}</span>
      <div className={styles.text}>
        <span className={styles.actor}>{actor}</span>
        <h2>{title}</h2>
        <p>{text}</p>
        {isCurrent ? (
          <div className={styles.acts}>
            <StepActions step={step} demo={demo} />
          </div>
        ) : null}
        {isCurrent && problem ? (
          <Notice tone="bad" isLive>
            {problem}
          </Notice>
        ) : null}
        {isDone || step === "check" ? (
          <Verdict step={step} exchanges={state.exchanges[step] ?? []} granted={state.granted} />
        ) : null}
      </div>
      <Exchanges step={step} state={state} />
    </li>
  );
};

const Exchanges = ({ step, state }: { step: StepId; state: DemoState }) => {
  const exchanges = state.exchanges[step] ?? [];
  return (
    <div className={styles.wire}>
      {state.next === step && exchanges.length === 0 ? (
        <p className={styles.empty}>{emptyStepTexts[step] ?? "The request and its response will appear here."}</p>
      ) : null}
      {exchanges.map((exchange, place) => (
        <ExchangeView
          key={exchange.id}
          exchange={exchange}
          isOpen={place === exchanges.length - 1 && isLatest(state, step)}
        />
      ))}
    </div>
  );
};

const isLatest = (state: DemoState, step: StepId): boolean =>
  step === stepIds.findLast((candidate) => (state.exchanges[candidate] ?? []).length > 0);
