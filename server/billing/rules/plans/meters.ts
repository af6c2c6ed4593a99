import { isMeterName, isServiceMeter } from "../usage-event.ts";
import type { Meter } from "./terms.ts";

const ownPrefix = "own:";

/** Whether a plan may price a meter: a built-in meter, or `own:` and the name of a merchant's own meter. */
export const isPriceableMeter = (meter: Meter): boolean => {
  if (!meter.startsWith(ownPrefix)) return isServiceMeter(meter);
  const name = meter.slice(ownPrefix.length);
  return isMeterName(name) && !isServiceMeter(name);
};

/** The only meter whose events have amounts of money. */
export const chargesMeter = "successful_charges";
