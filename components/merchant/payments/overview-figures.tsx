import type { toOverview } from "#server/trpc/merchant/payment-views.ts";
import { formatAmount, formatPaymentCount } from "../../format/money.ts";
import { formatPercent } from "../../format/percent.ts";
import type { Reader } from "../../format/reader.ts";
import { Figure, Figures } from "../../portal/figures.tsx";

type Overview = ReturnType<typeof toOverview>;
type Volume = Overview["volumes"][number];

/** Volumes by currency, payments by status, and disputes, each with the figure of the previous period. */
export const OverviewFigures = ({ overview, reader }: { overview: Overview; reader: Reader }) => {
  const { previous, trend } = overview;
  const rate = (of: number | null) => (of === null ? "–" : formatPercent(of, reader));
  return (
    <Figures>
      {currenciesOf(overview).map((currency) => {
        const [now, before] = [volumeOf(overview, currency), volumeOf(previous, currency)];
        const volume = ({ capturedMinor }: Volume) => formatAmount(capturedMinor, currency, reader);
        const net = ({ capturedMinor, refundedMinor }: Volume) =>
          formatAmount(capturedMinor - refundedMinor, currency, reader);
        return [
          <Compared
            key={`${currency} volume`}
            name={`Volume (${currency})`}
            now={volume(now)}
            before={volume(before)}
          />,
          <Compared key={`${currency} net`} name={`Net volume (${currency})`} now={net(now)} before={net(before)} />,
        ];
      })}
      <Compared name="Success rate" now={rate(trend.successRate)} before={rate(trend.previousSuccessRate)} />
      <Compared name="Paid" now={formatPaymentCount(overview.paid)} before={formatPaymentCount(previous.paid)} />
      <Compared name="Declined" now={overview.declined} before={previous.declined} />
      <Compared name="Open" now={overview.open} before={previous.open} />
      <Compared name="Disputes" now={overview.disputed} before={previous.disputed} />
    </Figures>
  );
};

const currenciesOf = ({ volumes, previous }: Overview): string[] => [
  ...new Set([...volumes, ...previous.volumes].map(({ currency }) => currency)),
];

const volumeOf = ({ volumes }: { volumes: readonly Volume[] }, currency: string): Volume =>
  volumes.find((volume) => volume.currency === currency) ?? { currency, capturedMinor: 0, refundedMinor: 0 };

/** A figure with its value in the previous period. */
const Compared = ({ name, now, before }: { name: string; now: string | number; before: string | number }) => (
  <Figure name={name} value={now}>
    Before: {before}
  </Figure>
);
