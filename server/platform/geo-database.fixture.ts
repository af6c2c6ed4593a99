// A small file in MaxMind DB format (https://maxmind.github.io/MaxMind-DB/), with one network of IPv4 addresses.

const header = (type: number, size: number): number[] => {
  if (size >= 285) throw new RangeError("this writer supports short values only");
  const [low, more] = size < 29 ? [size, []] : [29, [size - 29]];
  return type <= 7 ? [(type << 5) | low, ...more] : [low, type - 7, ...more];
};

type Value = string | number | readonly Value[] | { readonly [name: string]: Value };

const encode = (value: Value): number[] => {
  if (typeof value === "string") {
    const bytes = [...Buffer.from(value)];
    return [...header(2, bytes.length), ...bytes];
  }
  if (typeof value === "number") {
    const bytes = [24, 16, 8, 0].map((shift) => (value >>> shift) & 255);
    return [...header(6, 4), ...bytes];
  }
  if (Array.isArray(value)) return [...header(11, value.length), ...value.flatMap(encode)];
  const entries = Object.entries(value);
  return [...header(7, entries.length), ...entries.flatMap(([name, member]) => [...encode(name), ...encode(member)])];
};

const nodeBytes = (left: number, right: number): number[] =>
  [left, right].flatMap((record) => [16, 8, 0].map((shift) => (record >>> shift) & 255));

/** @param network the first bits of an address, for example `[203, 0, 113]` for 203.0.113.0/24. */
export const makeGeoDatabase = (network: readonly number[], record: Value): Buffer => {
  const bits = network.flatMap((byte) => [7, 6, 5, 4, 3, 2, 1, 0].map((shift) => (byte >> shift) & 1));
  const count = bits.length;
  const found = count + 16;
  const tree = bits.flatMap((bit, index) => {
    const next = index + 1 < count ? index + 1 : found;
    return bit === 0 ? nodeBytes(next, count) : nodeBytes(count, next);
  });
  const metadata = encode({
    node_count: count,
    record_size: 24,
    ip_version: 4,
    database_type: "Test-City",
    languages: ["en"],
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_700_000_000,
    description: { en: "test" },
  });
  const marker = [0xab, 0xcd, 0xef, ...Buffer.from("MaxMind.com")];
  return Buffer.from([...tree, ...Array(16).fill(0), ...encode(record), ...marker, ...metadata]);
};
