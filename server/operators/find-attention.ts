import { type Attention, findAttention as find } from "../data/operators/attention.ts";
import type { Deps } from "../deps/deps.ts";
import { addSeconds } from "../kernel/time/clock.ts";

/** For so long a mail that was given up stays news. */
const newsSeconds = 7 * 24 * 3600;

/** What waits for an operator, across everything that runs. */
export const findAttention = ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<Attention> =>
  find(db.sql, addSeconds(clock.now(), -newsSeconds));
