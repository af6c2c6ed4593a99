import { setTimeout as sleep } from "node:timers/promises";
import { findLiveSessionIds } from "../../data/accounts/accounts.ts";
import { findActivityFingerprints } from "../../data/payers/payer-charges.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";

/** The interval at which one statement reads the activity of all payers with an open page. */
const intervalMilliseconds = 2_000;
/** Only this many of a payer's newest charges are compared. A change of an older charge isn't noticed. */
const watchedCharges = 30;

/** Limits of one process. When a connection ends, the browser connects again, possibly to another process. */
const maxPerPayer = 4;
const maxConnections = 500;
const connectionSeconds = 300;

type Watcher = { payerId: string; sessionId: string; hasSession: boolean; fingerprint: string; notify: () => void };

const watchers = new Set<Watcher>();
let isPolling = false;

type WatchDeps = Pick<Deps, "db" | "log" | "clock">;
type Page = { payerId: string; sessionId: string; fingerprint: string; signal: AbortSignal | undefined };

/** A value that changes with the payer's newest charges and their states. */
export const getActivityFingerprint = async (deps: Pick<Deps, "db">, payerId: string): Promise<string> =>
  (await findActivityFingerprints(deps.db.sql, { payerIds: [payerId], limit: watchedCharges }))[0]?.fingerprint ?? "";

/**
 * Yields the value of `getActivityFingerprint` each time it differs from the page's value, until `signal` is aborted,
 * the session has ended or the connection is old. It polls, because each page would otherwise need its own database
 * connection, and a connection pooler doesn't support NOTIFY.
 * @throws DomainError too_many_connections; the page then works without live updates.
 */
export async function* watchActivity(
  deps: WatchDeps,
  { payerId, sessionId, fingerprint, signal }: Page,
): AsyncGenerator<string> {
  const ofPayer = [...watchers].filter((watcher) => watcher.payerId === payerId).length;
  if (ofPayer >= maxPerPayer || watchers.size >= maxConnections) throw tooManyRefusal();
  const end = AbortSignal.any([...(signal ? [signal] : []), AbortSignal.timeout(connectionSeconds * 1_000)]);
  const watcher: Watcher = { payerId, sessionId, hasSession: true, fingerprint, notify: () => undefined };
  const stop = () => watcher.notify();
  end.addEventListener("abort", stop);
  watchers.add(watcher);
  try {
    for (let sent = fingerprint; !end.aborted && watcher.hasSession; ) {
      if (!isPolling) void poll(deps);
      if (watcher.fingerprint === sent) {
        await new Promise<void>((resolve) => {
          watcher.notify = resolve;
        });
      }
      if (end.aborted || !watcher.hasSession || watcher.fingerprint === sent) continue;
      sent = watcher.fingerprint;
      yield sent;
    }
  } finally {
    end.removeEventListener("abort", stop);
    watchers.delete(watcher);
  }
}

const poll = async (deps: WatchDeps): Promise<void> => {
  isPolling = true;
  while (watchers.size > 0) {
    const payerIds = [...new Set([...watchers].map(({ payerId }) => payerId))];
    try {
      await endWithoutSession(deps);
      const prints = await findActivityFingerprints(deps.db.sql, { payerIds, limit: watchedCharges });
      for (const { payerId, fingerprint } of prints) update(payerId, fingerprint ?? "");
    } catch (error) {
      deps.log.debug({ err: error }, "live updates are delayed");
    }
    await sleep(intervalMilliseconds, undefined, { ref: false });
  }
  isPolling = false;
};

const endWithoutSession = async ({ db, clock }: WatchDeps): Promise<void> => {
  const sessionIds = [...watchers].map(({ sessionId }) => sessionId);
  const live = await findLiveSessionIds(db.sql, sessionIds, clock.now());
  for (const watcher of watchers) {
    // A watcher that was added while the statement ran is checked by the next statement.
    if (live.has(watcher.sessionId) || !sessionIds.includes(watcher.sessionId)) continue;
    watcher.hasSession = false;
    watcher.notify();
  }
};

const update = (payerId: string, fingerprint: string): void => {
  for (const watcher of watchers) {
    if (watcher.payerId !== payerId || watcher.fingerprint === fingerprint) continue;
    watcher.fingerprint = fingerprint;
    watcher.notify();
  }
};

const tooManyRefusal = (): DomainError =>
  new DomainError("rate_limited", {
    code: "too_many_connections",
    message: "Too many pages are open. Close one, or reload this page to see changes.",
  });
