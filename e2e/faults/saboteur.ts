import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../malformed/random.ts";
import { postJson } from "../support/answers/wire.ts";
import { simulatorOf } from "../support/instance.ts";
import type { Merchant } from "../support/oauth/parties.ts";

const calls = ["capture", "void", "refund"];
const faults = [
  "error_once",
  "error_once",
  "timeout_before_accept",
  "timeout_after_accept",
  "webhook_twice",
  "webhook_lost",
];

/** Captures, voids and refunds have no `metadata.simulate`, so their faults are set at the simulator itself. */
export const planFaults = async (
  random: Random,
  merchants: readonly Merchant[],
  isOver: () => boolean,
): Promise<void> => {
  const { url, key } = await simulatorOf("sandbox");
  while (!isOver()) {
    await sleep(500 + random.below(1_500));
    const account = `acct_${random.pick(merchants).merchantId}`;
    const plan = { account, call: random.pick(calls), fault: random.pick(faults) };
    // The simulator may just have been killed.
    await postJson(`${url}/control/faults`, plan, { authorization: `Bearer ${key}` }).catch(() => null);
  }
};
