"use client";
import { useCallback, useEffect, useRef, useState } from "react";
import { money } from "../mandates/words.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Notice } from "../ui/notice.tsx";
import styles from "./demo.module.css";
import * as flow from "./demo-flow.ts";
import { type Addresses, type DemoState, freshState, type StepId, stepIds } from "./demo-flow.ts";
import { DemoStage } from "./demo-stage.tsx";
import { forgetDemo, recallDemo, rememberDemo } from "./demo-state.ts";
import { type Exchange, memberOf } from "./demo-wire.ts";
import { ExchangeView } from "./wire-view.tsx";

const price = (amountMinor: number): string => money(amountMinor, flow.currency, { locale: "en-GB" });

const texts: Readonly<Record<StepId, { actor: string; title: string; text: string }>> = {
  meet: {
    actor: "Agent and shop",
    title: "Two strangers register",
    text: "Each makes a key pair in this browser and registers the public half. There are no passwords and no shared secrets.",
  },
  ask: {
    actor: "Agent",
    title: "The agent asks for a mandate",
    text: `It pushes what it would like: at most ${price(flow.limits.perPaymentMinor)} a payment and ${price(flow.limits.perMonthMinor)} a month, at this one shop. Everything is checked before you are bothered.`,
  },
  decide: {
    actor: "You",
    title: "You decide",
    text: "The real consent page opens: sign in as the demo payer, lower a limit if you like, then approve.",
  },
  token: {
    actor: "Agent",
    title: "The agent gets its token",
    text: "The code you brought back works once, for a minute, and only for the key that asked.",
  },
  check: {
    actor: "Shop",
    title: "The shop checks before it promises",
    text: "It asks whether a payment would fit. The answer says valid or why not, and nothing else about your limits.",
  },
  charge: {
    actor: "Shop",
    title: "The shop charges",
    text: `${price(flow.coffee.amountMinor)} for ${flow.coffee.name}. Your limits are counted in the same transaction, so they can’t be overrun.`,
  },
  stop: {
    actor: "You, or the agent",
    title: "Stop it",
    text: "Stop the mandate in your wallet, or let the agent give it back. Either way it ends at once.",
  },
  refused: {
    actor: "Shop",
    title: "The shop tries again",
    text: "The same charge as before. The very next request is refused.",
  },
};

const waiting: Partial<Record<StepId, string>> = {
  decide: "You leave for the consent page, and come back with a code.",
  stop: "Stopping in the wallet is a click of yours; the agent’s way is a request, which will stand here.",
};

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
      rememberDemo(next);
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
    const recalled = recallDemo();
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
    void run("token", returned, () => flow.exchangeCode(returned, brought.code, addresses));
  }, [addresses, run, update]);

  const { next } = state;
  useEffect(() => {
    if (next !== "meet") current.current?.scrollIntoView({ block: "center", behavior: "smooth" });
  }, [next]);

  const charge = (step: "charge" | "refused") =>
    run(step, state, async () => {
      const { exchanges, charged, shopToken } = await flow.charge(state, addresses);
      const isWanted = step === "charge" ? charged.status < 300 : charged.status === 403;
      return { exchanges, changes: { shopToken }, failure: isWanted ? null : chargeProblem(step, charged) };
    });

  const acts: Readonly<Record<StepId, React.ReactNode>> = {
    meet: (
      <Act step="meet" busy={busy} onAct={() => run("meet", state, () => flow.meet(addresses))} label="Register both" />
    ),
    ask: (
      <Act
        step="ask"
        busy={busy}
        onAct={() => run("ask", state, () => flow.ask(state, addresses))}
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
    check: (
      <>
        <Act
          step="check"
          busy={busy}
          onAct={() => run("check", state, () => flow.check(state, addresses, flow.coffee.amountMinor))}
          label={`Check ${price(flow.coffee.amountMinor)}`}
        />
        <Button
          disabled={busy !== null}
          onClick={() =>
            run("check", state, async () => ({
              ...(await flow.check(state, addresses, flow.machine.amountMinor)),
              next: "check" as const,
            }))
          }
        >
          Check {price(flow.machine.amountMinor)} too
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
        <Button disabled={busy !== null} onClick={() => run("stop", state, () => flow.giveBack(state, addresses))}>
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
                <span className={styles.actor}>{texts[step].actor}</span>
                <h2>{texts[step].title}</h2>
                <p>{texts[step].text}</p>
                {isCurrent ? <div className={styles.acts}>{acts[step]}</div> : null}
                {isCurrent && problem ? (
                  <Notice tone="bad" isLive>
                    {problem}
                  </Notice>
                ) : null}
                {isDone || step === "check" ? <Verdict step={step} exchanges={exchanges} /> : null}
              </div>
              <div className={styles.wire}>
                {isCurrent && exchanges.length === 0 ? (
                  <p className={styles.empty}>{waiting[step] ?? "The request and its answer will stand here."}</p>
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
    forgetDemo();
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
  return `The charge was answered with ${charged.status}. ${String(memberOf(charged, "detail") ?? "")}`;
};

const Act = ({ step, busy, onAct, label }: { step: StepId; busy: StepId | null; onAct: () => void; label: string }) => (
  <Button variant="primary" isBusy={busy === step} disabled={busy !== null && busy !== step} onClick={onAct}>
    {label}
  </Button>
);

/** What the answer meant, in a sentence. */
const Verdict = ({ step, exchanges }: { step: StepId; exchanges: readonly Exchange[] }) => {
  const last = exchanges.at(-1);
  if (!last) return null;
  if (step === "check") {
    return memberOf(last, "valid") === true ? (
      <Notice tone="good">Valid: the payment fits.</Notice>
    ) : (
      <Notice tone="warn">Not valid: {reasonOf(last)}.</Notice>
    );
  }
  if (step === "charge") return <Notice tone="good">Paid. The charge is {String(memberOf(last, "status"))}.</Notice>;
  if (step === "refused")
    return (
      <Notice tone="good">
        Refused with {last.status}: {reasonOf(last)}. Exactly as it should be.
      </Notice>
    );
  return null;
};

const reasonOf = (exchange: Exchange): string => {
  const reasons = memberOf(exchange, "reasons");
  const first: unknown = Array.isArray(reasons) ? reasons[0] : null;
  const code: unknown = typeof first === "object" && first !== null ? Reflect.get(first, "code") : null;
  return typeof code === "string" ? code : String(memberOf(exchange, "title") ?? "refused");
};

const Ended = ({ onRestart }: { onRestart: () => void }) => (
  <section className={`card ${styles.ended}`}>
    <h2>That is the whole product</h2>
    <p>
      An agent asked, you set the limits, a shop was paid within them, and when you stopped it the next charge was
      refused. Everything you allowed is in your wallet, with every charge.
    </p>
    <div className={styles.acts}>
      <ButtonLink href="/wallet" variant="primary">
        Open my wallet
      </ButtonLink>
      <Button onClick={onRestart}>Run it again</Button>
    </div>
  </section>
);
