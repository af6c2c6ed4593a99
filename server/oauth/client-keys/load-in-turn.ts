import type { Sql } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { checkRules } from "../../kernel/rule.ts";
import { jwksUriLoadRules } from "../rules/clients/jwks-uri.ts";

type Turns = { last: Promise<unknown>; count: number };

/** The clients with running or waiting loads, per database. */
const queues = new WeakMap<Sql, Map<string, Turns>>();
/**
 * Maximum running and waiting loads of a client. A client reaches it only if its jwks_uri is slow and its registration
 * changes often.
 */
const maxTurns = 5;

/**
 * Runs one load per client at a time in this process, so that a client uses at most one outbound request.
 * @throws OAuthError temporarily_unavailable if too many loads wait.
 */
export const loadInTurn = async <T>({ db }: Deps, clientId: string, load: () => Promise<T>): Promise<T> => {
  const queue = queues.get(db.sql) ?? new Map<string, Turns>();
  queues.set(db.sql, queue);
  const turns = queue.get(clientId) ?? { last: Promise.resolve(), count: 0 };
  checkRules(jwksUriLoadRules, { problem: turns.count < maxTurns ? null : "busy" });
  queue.set(clientId, turns);
  turns.count += 1;
  const own = turns.last.then(load).finally(() => {
    turns.count -= 1;
    if (turns.count === 0) queue.delete(clientId);
  });
  turns.last = own.catch(() => undefined);
  return own;
};
