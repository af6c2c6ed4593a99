import type { AuthenticatedClient, PendingClient } from "../../contract/callers.ts";
import type { ClientRow } from "../../data/oauth/clients.ts";
import { type Assertion, type ConsumedAssertion, consumeAssertion } from "../../data/oauth/replay.ts";
import type { Deps } from "../../deps/deps.ts";
import { isNonceDemand } from "../tokens/verify-dpop-proof.ts";

type Steps<Prepared, Consumed extends ConsumedAssertion, Answer> = {
  /** Every check of the request for one client; changes nothing. */
  prepare(client: ClientRow): Promise<Prepared>;
  /** The statement that consumes the assertion and does what was prepared where the client still has `version`. */
  atOnce(prepared: Prepared, assertion: Assertion & { version: number }): Promise<Consumed>;
  /** What `atOnce` came to. */
  toAnswer(prepared: Prepared, consumed: Consumed): Answer;
  /** The same as `atOnce` for a client whose assertion is consumed already. */
  alone(prepared: Prepared, client: AuthenticatedClient): Promise<Answer>;
};

/**
 * One statement for the whole request, by the client as it is remembered. Where that has changed meanwhile the statement
 * did nothing more than consume the assertion, and what it is now decides: what it gained is granted, what it lost refused.
 * A demand for a nonce consumes nothing.
 */
export const settleWith = async <Prepared, Consumed extends ConsumedAssertion, Answer>(
  { db }: Pick<Deps, "db">,
  pending: PendingClient,
  steps: Steps<Prepared, Consumed, Answer>,
): Promise<Answer> => {
  let prepared: Prepared;
  try {
    prepared = await steps.prepare(pending.client);
  } catch (error) {
    if (isNonceDemand(error)) throw error;
    const { client, isCurrent } = await pending.settle((assertion) => consumeAssertion(db.sql, assertion));
    if (isCurrent) throw error;
    return steps.alone(await steps.prepare(client), client);
  }
  const { client, consumed, isCurrent } = await pending.settle((assertion) => steps.atOnce(prepared, assertion));
  return isCurrent ? steps.toAnswer(prepared, consumed) : steps.alone(await steps.prepare(client), client);
};
