import type { ReactNode } from "react";
import { formatAmount } from "../format/money.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { LimitBar } from "../ui/limit-bar.tsx";
import styles from "./demo.module.css";
import { agentName, coffee, currency, type DemoState, requestedLimits, shopName, stepIds } from "./demo-steps.ts";
import { coffeeVerdict } from "./protocol/demo-flow.ts";

const reader = { locale: "en-GB" };

const reached = (state: DemoState, step: DemoState["next"]): boolean => {
  const order = [...stepIds, "done"] as const;
  return order.indexOf(state.next) >= order.indexOf(step);
};

/** The agent, the payer and the shop, each with its current state. */
export const DemoStage = ({ state }: { state: DemoState }) => (
  <div className={styles.stage}>
    <Party look="agent" icon="bot" name={agentName} what="An agent in this tab">
      {describeAgent(state)}
    </Party>
    <span className={styles.arrow}>
      <Icon name="right" />
    </span>
    <Party look="you" icon="person" name="You" what="The payer">
      <YourLimits state={state} />
    </Party>
    <span className={styles.arrow}>
      <Icon name="right" />
    </span>
    <Party look="shop" icon="shop" name={shopName} what="A shop in this tab">
      {describeShop(state)}
    </Party>
  </div>
);

const Party = ({
  look,
  icon,
  name,
  what,
  children,
}: {
  look: "agent" | "you" | "shop";
  icon: IconName;
  name: string;
  what: string;
  children: ReactNode;
}) => (
  <section className={`card ${styles.party} ${styles[look]}`} aria-label={name}>
    <header>
      <span className={styles.avatar}>
        <Icon name={icon} />
      </span>
      <div>
        <h2>{name}</h2>
        <p className="tiny">{what}</p>
      </div>
    </header>
    <div className={styles.says}>{children}</div>
  </section>
);

/** The granted limits. Until the token arrives, the requested limits. */
const knownLimits = (state: DemoState) => state.granted ?? requestedLimits;

const describeAgent = (state: DemoState): string => {
  if (state.next === "done") return "My permission has ended. I can’t spend anything.";
  if (reached(state, "refused")) return "After the mandate is stopped, I can’t spend anything.";
  if (reached(state, "check"))
    return `I may spend up to ${formatAmount(knownLimits(state).perPaymentMinor, currency, reader)} a payment.`;
  if (reached(state, "token")) return "You approved. Now I get my token.";
  if (reached(state, "decide")) return "I sent my request. It’s your turn.";
  if (reached(state, "request")) return "I’d like to buy your coffee for you.";
  return "I’m not registered yet.";
};

const describeShop = (state: DemoState): string => {
  const price = formatAmount(coffee.amountMinor, currency, reader);
  if (state.next === "done") return "My second charge was refused, so I don’t ship a second order.";
  if (reached(state, "stop")) return `Paid ${price}. Your coffee is on its way.`;
  if (reached(state, "charge")) return "The payment is within your limits. I can charge it.";
  if (coffeeVerdict(state) === "invalid") return `${price} is above your limits. I can’t charge it.`;
  return `${coffee.name}: ${price}`;
};

const YourLimits = ({ state }: { state: DemoState }) => {
  if (!reached(state, "token")) return <>You haven’t approved anything yet.</>;
  if (state.next === "done") return <>The mandate is stopped. Nothing more can be charged.</>;
  if (reached(state, "refused")) return <>After the mandate is stopped, nothing more can be charged.</>;
  const used = reached(state, "stop") ? coffee.amountMinor : 0;
  const { perMonthMinor } = knownLimits(state);
  const cap = formatAmount(perMonthMinor, currency, reader);
  return (
    <>
      <div className={styles.row}>
        <span>This month</span>
        <span className="num">
          <b>{formatAmount(used, currency, reader)}</b> of {cap}
        </span>
      </div>
      <LimitBar
        usedShare={used / perMonthMinor}
        heldShare={0}
        label={`${formatAmount(used, currency, reader)} of ${cap} used this month`}
      />
    </>
  );
};
