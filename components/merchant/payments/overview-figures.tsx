import type { toOverview } from "#server/trpc/merchant/payment-views.ts";
import { formatAmount, formatPaymentCount } from "../../format/money.ts";
import { formatPercent } from "../../format/percent.ts";
import type { Reader } from "../../format/reader.ts";
import styles from "./payments.module.css";

type Overview = ReturnType<typeof toOverview>;
type Volume = Overview["volumes"][number];

/** Volumes by currency, payments by status, and disputes, each with the figure of the previous period. */
export const OverviewFigures = ({ overview, reader }: { overview: Overview; reader: Reader }) => {
  const { previous, trend } = overview;
  const rate = (of: number | null) => (of === null ? "–" : formatPercent(of, reader));
  return (
    <dl className={`card ${styles.figures}`}>
      {currenciesOf(overview).map((currency) => {
        const [now, before] = [volumeOf(overview, currency), volumeOf(previous, currency)];
        const volume = ({ capturedMinor }: Volume) => formatAmount(capturedMinor, currency, reader);
        const net = ({ capturedMinor, refundedMinor }: Volume) =>
          formatAmount(capturedMinor - refundedMinor, currency, reader);
        return [
          <Figure key={`${currency} volume`} name={`Volume (${currency})`} now={volume(now)} before={volume(before)} />,
          <Figure key={`${currency} net`} name={`Net volume (${currency})`} now={net(now)} before={net(before)} />,
        ];
      })}
      <Figure name="Success rate" now={rate(trend.successRate)} before={rate(trend.previousSuccessRate)} />
      <Figure name="Paid" now={formatPaymentCount(overview.paid)} before={formatPaymentCount(previous.paid)} />
      <Figure name="Declined" now={overview.declined} before={previous.declined} />
      <Figure name="Open" now={overview.open} before={previous.open} />
      <Figure name="Disputes" now={overview.disputed} before={previous.disputed} />
    </dl>
  );
};

const currenciesOf = ({ volumes, previous }: Overview): string[] => [
  ...new Set([...volumes, ...previous.volumes].map(({ currency }) => currency)),
];

const volumeOf = ({ volumes }: { volumes: readonly Volume[] }, currency: string): Volume =>
  volumes.find((volume) => volume.currency === currency) ?? { currency, capturedMinor: 0, refundedMinor: 0 };

type FigureProps = { name: string; now: string | number; before: string | number };

const Figure = ({ name, now, before }: FigureProps) => (
  <div>
    <dt>{name}</dt>
    <dd>{now}</dd>
    <dd className={styles.before}>Before: {before}</dd>
  </div>
);
