import type pg from "pg";

/**
 * How many connections a pool opens at the same time. A new connection costs PostgreSQL about 100 ms of CPU time until
 * its statements are prepared. If all processes opened all their connections at once after a failover, none would
 * answer a request for seconds, and many would reach the time limit of a connection.
 */
export const maxOpening = 2;
/** An attempt that takes longer no longer counts, because the peer may be silent. */
const openingMilliseconds = 1_000;

/** Of pg-pool 3, without types: `_pulseQueue` serves the first waiting caller. */
type WithQueue = { _pulseQueue(): void };

/**
 * Returns a class for one pool, which opens few connections at a time. A caller that needs another connection waits
 * for the first one that is released or may be opened. Callers that wait when the pool is closed fail at their time
 * limit.
 */
export const gradualPool = (Pool: typeof pg.Pool, Client: typeof pg.Client): typeof pg.Pool => {
  const opening = new Set<pg.Client>();
  let serveNext = () => {};
  // The caller of a new connection gets it first. Then the next caller may open one.
  const free = (client: pg.Client): void => {
    if (opening.delete(client)) setImmediate(() => serveNext());
  };
  class OpeningClient extends Client {
    constructor(config?: pg.ClientConfig) {
      super(config);
      opening.add(this);
      setTimeout(free, openingMilliseconds, this).unref();
      this.once("connect", () => free(this)).once("end", () => free(this));
    }
  }
  return class GradualPool extends Pool {
    constructor(options?: pg.PoolConfig) {
      super({ ...options, Client: OpeningClient });
      serveNext = () => (this as unknown as WithQueue)._pulseQueue();
    }

    /** pg-pool asks this before it opens a connection. */
    _isFull(): boolean {
      return this.totalCount >= this.options.max || opening.size >= maxOpening;
    }
  };
};
