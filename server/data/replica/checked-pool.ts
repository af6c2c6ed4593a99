import pg from "pg";

type Callback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** A pool whose connections are checked each time before they are used. @throws StaleReplica for each failure. */
export const checkedPool = (check: (client: pg.PoolClient) => Promise<void>): typeof pg.Pool =>
  class CheckedPool extends pg.Pool {
    async #connectChecked(): Promise<pg.PoolClient> {
      let client: pg.PoolClient | undefined;
      try {
        client = await super.connect();
        await check(client);
        return client;
      } catch (error) {
        client?.release(error instanceof StaleReplica ? undefined : true);
        throw error instanceof StaleReplica ? error : new StaleReplica(String(error), { cause: error });
      }
    }

    /** `pool.query` calls it with a callback, and all other callers without one. */
    override connect(): Promise<pg.PoolClient>;
    override connect(callback: Callback): void;
    override connect(callback?: Callback): Promise<pg.PoolClient> {
      const checked = this.#connectChecked();
      if (callback) {
        checked.then(
          (client) => callback(undefined, client, (release) => client.release(release as Error | undefined)),
          (error: Error) => callback(error, undefined, () => {}),
        );
      }
      return checked;
    }
  };

/**
 * The standby can't be reached, refuses the sign-in, lags too long, isn't a standby, or belongs to another cluster. Or
 * the primary's position can't be read.
 */
export class StaleReplica extends Error {
  override name = "StaleReplica";
}
