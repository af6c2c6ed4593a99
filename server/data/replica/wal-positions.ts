/** A position in the primary's write-ahead log, in bytes, and the time just before it was read. */
export type WalPosition = { position: bigint; readAt: number };

/** A check is used for one more second, so a standby that is read lags less than 5 s. */
const maxLagMilliseconds = 4_000;

/**
 * How far a standby lags, computed from positions of the primary that this process has read. So the clocks of the two
 * servers don't matter. A standby that lost its primary isn't fresh, even if it has replayed all that it received.
 */
export class WalPositions {
  /** oldest first */
  #positions: WalPosition[] = [];

  add(position: WalPosition): void {
    const oldest = position.readAt - maxLagMilliseconds;
    this.#positions = [...this.#positions.filter(({ readAt }) => readAt > oldest), position];
  }

  newest(): WalPosition | undefined {
    return this.#positions.at(-1);
  }

  /** Whether a standby that has replayed up to this position lags less than four seconds. */
  isFresh(replayed: bigint, now: number): boolean {
    return this.#positions.some(({ position, readAt }) => position <= replayed && now - readAt < maxLagMilliseconds);
  }
}
