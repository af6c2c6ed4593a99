import type { ChargeState } from "./charge-states.ts";

export type Sum = { state: ChargeState; currency: string; count: number; captured: bigint; refunded: bigint };

export type Summary = {
  /** charges that took money, including those refunded since */
  paid: number;
  declined: number;
  /** still open: the outcome is unknown, or an action is needed */
  open: number;
  volumes: { currency: string; captured: bigint; refunded: bigint }[];
};

const took: readonly ChargeState[] = [
  ...(["succeeded", "captured", "partially_captured"] as const),
  ...(["partially_refunded", "refunded", "disputed"] as const),
];
const ended: readonly ChargeState[] = ["declined", "voided", "expired"];

/** @param sums by state and currency. */
export const summarize = (sums: readonly Sum[]): Summary => {
  const countOf = (belongs: (state: ChargeState) => boolean) =>
    sums.reduce((total, { state, count }) => (belongs(state) ? total + count : total), 0);
  const byCurrency = Map.groupBy(sums, ({ currency }) => currency);
  return {
    paid: countOf((state) => took.includes(state)),
    declined: countOf((state) => state === "declined"),
    open: countOf((state) => !took.includes(state) && !ended.includes(state)),
    volumes: [...byCurrency].map(([currency, of]) => ({
      currency,
      captured: of.reduce((total, { captured }) => total + captured, 0n),
      refunded: of.reduce((total, { refunded }) => total + refunded, 0n),
    })),
  };
};
