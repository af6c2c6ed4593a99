import type { AuthenticatedClient, PendingClient } from "../../contract/callers.ts";
import type { ClientRow } from "../../data/oauth/clients.ts";
import { type Assertion, type ConsumedAssertion, consumeAssertion } from "../../data/oauth/replay.ts";
import type { Deps } from "../../deps/deps.ts";
import { isNonceDemand } from "../tokens/verify-dpop-proof.ts";

type Steps<Prepared, Consumed extends ConsumedAssertion, Answer> = {
  /** Checks the request for a client. Writes nothing. */
  prepare(client: ClientRow): Promise<Prepared>;
  /** The statement that consumes the assertion. It writes `prepared` only if the client still has `version`. */
  consumeAndWrite(prepared: Prepared, assertion: Assertion & { version: number }): Promise<Consumed>;
  /** The response from the result of `consumeAndWrite`. */
  toAnswer(prepared: Prepared, consumed: Consumed): Answer;
  /** Writes `prepared` for a request whose assertion is already consumed. */
  write(prepared: Prepared, client: AuthenticatedClient): Promise<Answer>;
};

/**
 * Settles a request with one statement and the cached client. If the client has changed, the statement only consumes
 * the assertion, and the request is checked again with the current client. If a required nonce is missing, nothing is
 * consumed.
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
    return steps.write(await steps.prepare(client), client);
  }
  const { client, consumed, isCurrent } = await pending.settle((assertion) =>
    steps.consumeAndWrite(prepared, assertion),
  );
  return isCurrent ? steps.toAnswer(prepared, consumed) : steps.write(await steps.prepare(client), client);
};
