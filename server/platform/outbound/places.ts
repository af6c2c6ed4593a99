/** Numbers of concurrent requests: `all`, and the requests among them that can be sent again later. */
type Counts = { all: number; canWait: number };

/** The limits per process. Each request uses a socket for seconds, to a target that another party chose. */
const maxOfAll: Counts = { all: 256, canWait: 64 };
/** The limits per party. They prevent one party's slow servers from blocking requests for the keys of other clients. */
const maxOfParty: Counts = { all: 32, canWait: 8 };

export type Claim = {
  /** @returns false if no place is free. */
  take(): boolean;
  /** @param party identified by a domain or an address. @returns false if the party has no free place. */
  takeFor(party: string): boolean;
  /** Releases the party's place. */
  releaseFor(party: string): void;
  /** Releases all places of this claim. */
  releaseAll(): void;
};

/** Each concurrent request needs a place of the process, and a place of each party. Idle parties use no memory. */
export const createPlaces = (): { claim(canWait: boolean): Claim } => {
  const taken = new Map<string, Counts>();

  const add = (name: string, canWait: boolean, change: 1 | -1): void => {
    const { all, canWait: waiting } = taken.get(name) ?? { all: 0, canWait: 0 };
    const next = { all: all + change, canWait: waiting + (canWait ? change : 0) };
    if (next.all === 0) taken.delete(name);
    else taken.set(name, next);
  };

  const hasPlace = (name: string, canWait: boolean, limits: Counts): boolean => {
    const { all, canWait: waiting } = taken.get(name) ?? { all: 0, canWait: 0 };
    return all < limits.all && (!canWait || waiting < limits.canWait);
  };

  return {
    claim(canWait) {
      const held = new Set<string>();
      const takePlace = (name: string, limits: Counts): boolean => {
        if (held.has(name)) return true;
        if (!hasPlace(name, canWait, limits)) return false;
        add(name, canWait, 1);
        held.add(name);
        return true;
      };
      const release = (name: string): void => {
        if (held.delete(name)) add(name, canWait, -1);
      };
      return {
        take: () => takePlace("", maxOfAll),
        takeFor: (party) => takePlace(party, maxOfParty),
        releaseFor: release,
        releaseAll: () => held.forEach(release),
      };
    },
  };
};
