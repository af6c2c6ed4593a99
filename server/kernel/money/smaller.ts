/** Math.min and Math.max don't accept bigint. */
export const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);
export const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);
