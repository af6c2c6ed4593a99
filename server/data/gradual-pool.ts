import type pg from "pg";

/**
 * How many connections a pool opens at the same time. A new connection costs PostgreSQL about 100 ms of CPU time until
 * its statements are prepared. If all processes opened all their connections at once after a failover, none would
 * answer a request for seconds, and many would reach the time limit of a connection.
 */
export const maxOpening = 2;

/** Methods of pg-pool 3 without types: whether no connection may be opened now, and serving of the waiting callers. */
type Internals = { _isFull(): boolean; _pulseQueue(): void };

/**
 * A pool that opens few connections at a time. A caller that needs another connection waits for the first one that is
 * released or may be opened.
 */
export const gradualPool = (Pool: typeof pg.Pool, Client: typeof pg.Client): typeof pg.Pool =>
  class GradualPool extends Pool implements Pick<Internals, "_isFull"> {
    constructor(options?: pg.PoolConfig) {
      const opening = new Set<pg.Client>();
      class OpeningClient extends Client {
        constructor(config?: pg.ClientConfig) {
          super(config);
          opening.add(this);
          this.once("connect", () => isOpen(this)).once("end", () => isOpen(this));
        }
      }
      super({ ...options, Client: OpeningClient });
      this.#opening = opening;
      const isOpen = (client: pg.Client) => {
        if (opening.delete(client)) setImmediate(() => (this as unknown as Internals)._pulseQueue());
      };
    }

    readonly #opening: ReadonlySet<pg.Client>;

    _isFull(): boolean {
      return this.totalCount >= this.options.max || this.#opening.size >= maxOpening;
    }
  };
