/**
 * Keeps at most `capacity` recently used entries in two generations. The older one is dropped when the
 * younger one reaches half the capacity.
 */
export class RecentMap<V> {
  readonly #half: number;
  #young = new Map<string, V>();
  #old = new Map<string, V>();

  constructor(capacity: number) {
    this.#half = Math.max(1, Math.floor(capacity / 2));
  }

  get(key: string): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: string, value: V): void {
    if (this.#young.size >= this.#half && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  delete(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  /** Entries of both generations. An entry that was copied to the younger generation counts twice. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }
}
