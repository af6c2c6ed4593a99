/**
 * The currencies of totals, each once: the preferred one first, the others by code. Amounts of different currencies are
 * never added or converted, so each currency has its own total.
 * @param preferred null: all by code
 */
export const orderCurrencies = (currencies: Iterable<string>, preferred: string | null): string[] =>
  [...new Set(currencies)].sort((one, other) => {
    if ((one === preferred) !== (other === preferred)) return one === preferred ? -1 : 1;
    return one < other ? -1 : Number(one > other);
  });
