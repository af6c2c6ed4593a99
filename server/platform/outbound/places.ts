/** How many requests may be under way at once: of all, and among them of those that can wait. */
type Most = { all: number; canWait: number };

/** Of one process. Each holds a socket for some seconds, and whoever registers clients chooses where it goes. */
const mostOfAll: Most = { all: 256, canWait: 64 };
/** To one party, so that nobody's slow servers keep the keys of other clients from being loaded. */
const mostOfParty: Most = { all: 32, canWait: 8 };

export type Claim = {
  /** @returns false where there is no place left. */
  takeOne(): boolean;
  /** @param party as far as it can be told: by a domain, by an address. @returns false where it has no place left. */
  takeOneOf(party: string): boolean;
  leave(party: string): void;
  giveBack(): void;
};

/** Counts what is under way. Nothing is kept of a party that nobody asks. */
export const createPlaces = (): { claim(canWait: boolean): Claim } => {
  const taken = new Map<string, Most>();

  const add = (name: string, canWait: boolean, change: 1 | -1): void => {
    const { all, canWait: waiting } = taken.get(name) ?? { all: 0, canWait: 0 };
    const next = { all: all + change, canWait: waiting + (canWait ? change : 0) };
    if (next.all === 0) taken.delete(name);
    else taken.set(name, next);
  };

  const hasPlace = (name: string, canWait: boolean, most: Most): boolean => {
    const { all, canWait: waiting } = taken.get(name) ?? { all: 0, canWait: 0 };
    return all < most.all && (!canWait || waiting < most.canWait);
  };

  return {
    claim(canWait) {
      const held = new Set<string>();
      const take = (name: string, most: Most): boolean => {
        if (held.has(name)) return true;
        if (!hasPlace(name, canWait, most)) return false;
        add(name, canWait, 1);
        held.add(name);
        return true;
      };
      const leave = (name: string): void => {
        if (held.delete(name)) add(name, canWait, -1);
      };
      return {
        takeOne: () => take("", mostOfAll),
        takeOneOf: (party) => take(party, mostOfParty),
        leave,
        giveBack: () => held.forEach(leave),
      };
    },
  };
};
