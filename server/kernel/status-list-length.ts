/** W3C Bitstring Status List v1.0 §2.2 requires at least 131,072 entries, for herd privacy. */
export const statusListLength = 131_072;
