import type { Sql } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { checkRules } from "../../kernel/rule.ts";
import { jwksUriLoadRules } from "../rules/clients/jwks-uri.ts";

type Turns = { last: Promise<unknown>; count: number };

/** Per database: the clients for which something is loaded or waits for it. */
const queues = new WeakMap<Sql, Map<string, Turns>>();
/** More come only of a client that is changed again and again while its jwks_uri is slow. */
const maxTurns = 5;

/**
 * One load per client at a time in this process, whatever it is for and wherever it goes: a client takes no more than
 * one place among the requests that are under way.
 * @throws OAuthError temporarily_unavailable where several wait already.
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
