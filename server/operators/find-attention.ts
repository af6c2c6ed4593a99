import { type Attention, countAttention } from "../data/operators/attention.ts";
import type { Deps } from "../deps/deps.ts";
import { addSeconds } from "../kernel/time/clock.ts";

/** How long failed mail is shown. */
const failedMailSeconds = 7 * 24 * 3600;

/** Everything that needs an operator. */
export const findAttention = ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<Attention> =>
  countAttention(db.sql, addSeconds(clock.now(), -failedMailSeconds));
