import { sumDueCharges } from "../../charges/lists/sum-due-charges.ts";
import { summedUntil } from "../../charges/rules/sum-slots.ts";
import type { Tick } from "../job.ts";

/** Slots per transaction. A busy merchant has many thousands of charges in one slot, so the number is small. */
const batchSize = 5;

export const sumChargesTick: Tick = {
  name: "sum-charges",
  intervalMilliseconds: 5_000,
  async isDue({ chargeSumsFrom }, { businessClock }) {
    return chargeSumsFrom !== null && chargeSumsFrom < summedUntil(await businessClock.now());
  },
  async run(deps) {
    const done = await sumDueCharges(deps, { limit: batchSize });
    return { done, hasMore: done === batchSize };
  },
};
