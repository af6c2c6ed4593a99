import type { ReactNode } from "react";
import { formatAmount } from "../format/money.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { LimitBar } from "../ui/limit-bar.tsx";
import styles from "./demo.module.css";
import { agentName, coffee, coffeeVerdict, currency, type DemoState, limits, shopName, stepIds } from "./demo-flow.ts";

const reader = { locale: "en-GB" };

const reached = (state: DemoState, step: DemoState["next"]): boolean => {
  const order = [...stepIds, "done"] as const;
  return order.indexOf(state.next) >= order.indexOf(step);
};

/** The three who take part, and what each can say of itself right now. */
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

/** Until the token says what was granted, what was asked. */
const grantedTo = (state: DemoState) => state.granted ?? limits;

const describeAgent = (state: DemoState): string => {
  if (reached(state, "refused")) return "My permission is gone. I can’t spend anything.";
  if (reached(state, "check"))
    return `I may spend up to ${formatAmount(grantedTo(state).perPaymentMinor, currency, reader)} a payment.`;
  if (reached(state, "token")) return "You approved. Now I fetch my token.";
  if (reached(state, "decide")) return "I have asked. It’s your turn.";
  if (reached(state, "ask")) return "I’d like to buy your coffee for you.";
  return "Nobody knows me yet.";
};

const describeShop = (state: DemoState): string => {
  const price = formatAmount(coffee.amountMinor, currency, reader);
  if (state.next === "done") return "My second charge was refused. I ship nothing.";
  if (reached(state, "stop")) return `Paid ${price}. The beans are on their way.`;
  if (reached(state, "charge")) return "The payment would fit. I can charge.";
  if (coffeeVerdict(state) === "invalid") return `${price} doesn’t fit your limits. I can’t charge it.`;
  return `${coffee.name}: ${price}`;
};

const YourLimits = ({ state }: { state: DemoState }) => {
  if (!reached(state, "token")) return <>You have allowed nothing.</>;
  if (reached(state, "refused")) return <>You stopped it. Nothing more can be charged.</>;
  const used = reached(state, "stop") ? coffee.amountMinor : 0;
  const { perMonthMinor } = grantedTo(state);
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
