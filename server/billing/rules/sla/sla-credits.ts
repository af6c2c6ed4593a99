import { type Exact, multiplyRatio } from "../exact/exact.ts";
import type { Meter } from "../plans/terms.ts";

export type SlaPercent = 10 | 25 | 50;

/** One percentage point in thousandths of a percent. */
const pointUnits = 1_000;

/**
 * The credit percentage of a component for one month.
 * @param uptime percent with three decimals, rounded down, as the status page shows it
 * @param objective in ten-thousandths, for example 9990 for 99.9%
 */
export const slaPercentOf = (uptime: string, objective: number): SlaPercent | 0 => {
  const below = objective * 10 - Number(uptime.replace(".", ""));
  if (below <= 0) return 0;
  if (below < pointUnits) return 10;
  return below < 5 * pointUnits ? 25 : 50;
};

/**
 * The meters that each component serves, in the order of the status page. Other components, such as the sandbox, give
 * no credits.
 */
const served: Readonly<Record<string, (meter: Meter) => boolean>> = {
  authorization_server: (meter) => !meter.startsWith("own:"),
  wallet_portal: (meter) => meter === "step_ups",
  billing_engine: (meter) => meter.startsWith("own:"),
};

export const slaComponents: readonly string[] = Object.keys(served);

export const serves = (component: string, meter: Meter): boolean => served[component]?.(meter) ?? false;

/** The fee of a meter in one month and one billing period, before discounts and tax. */
export type MonthFee = { currency: string; meter: Meter; periodFrom: Date; fee: Exact };
export type MonthCredit = MonthFee & { component: string; percent: SlaPercent; exact: Exact };

/**
 * The credits of one month. The credits of all components that serve a meter sum to at most the meter's fee.
 * @param failed the components below their objective, in the order of the status page
 */
export const slaCreditsOf = (
  fees: readonly MonthFee[],
  failed: readonly { component: string; percent: SlaPercent }[],
): MonthCredit[] =>
  fees.flatMap((fee) => {
    let left = fee.fee;
    return failed.flatMap(({ component, percent }) => {
      const share = serves(component, fee.meter) ? multiplyRatio(fee.fee, BigInt(percent), 100n) : 0n;
      const exact = share < left ? share : left;
      if (exact <= 0n) return [];
      left -= exact;
      return [{ ...fee, component, percent, exact }];
    });
  });
