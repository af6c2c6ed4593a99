/** Letters of other scripts, digits and signs that look like a Latin letter (a part of Unicode UTS #39, Confusables). */
const lookalikes: Readonly<Record<string, string>> = {
  а: "a",
  α: "a",
  ɑ: "a",
  "@": "a",
  "4": "a",
  в: "b",
  ь: "b",
  с: "c",
  ϲ: "c",
  ԁ: "d",
  е: "e",
  ε: "e",
  "3": "e",
  ғ: "f",
  ԛ: "q",
  ɡ: "g",
  ց: "g",
  "9": "g",
  һ: "h",
  н: "h",
  і: "i",
  ι: "i",
  ı: "i",
  ӏ: "i",
  "1": "i",
  "!": "i",
  "|": "i",
  l: "i",
  п: "n",
  ո: "n",
  η: "n",
  о: "o",
  ο: "o",
  "0": "o",
  р: "p",
  ρ: "p",
  г: "r",
  ѕ: "s",
  "5": "s",
  т: "t",
  τ: "t",
  "7": "t",
  у: "y",
  γ: "y",
  ү: "y",
  ʏ: "y",
  ν: "v",
  ѵ: "v",
};

/**
 * A text for comparisons by appearance: no case, accents, invisible characters or punctuation, single spaces, and one
 * letter for letters that look alike. Not for display: `l` becomes `i`.
 */
export const skeletonOf = (text: string): string =>
  [...text.normalize("NFKD").toLowerCase()]
    .map((letter) => lookalikes[letter] ?? letter)
    .join("")
    .replace(/[^\p{L}\p{N}\s]/gu, "")
    .replace(/\s+/g, " ")
    .trim();
