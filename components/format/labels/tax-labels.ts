import { formatPercentage } from "../percent.ts";
import type { Reader } from "../reader.ts";

/** UN/CEFACT 5305, the codes of EN 16931. */
const categories: Readonly<Record<string, string>> = {
  S: "standard rate",
  Z: "zero rate",
  E: "exempt",
  AE: "reverse charge",
  K: "intra-Community supply",
  G: "export",
  O: "out of scope",
};

/** `19% (standard rate)` */
export const taxText = (
  { rate, category }: { rate: string; category: string },
  reader: Pick<Reader, "locale">,
): string => `${formatPercentage(rate, reader)} (${categories[category] ?? `category ${category}`})`;
