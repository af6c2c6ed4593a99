/** Problems with an amount that a person typed. */
export const amounts = {
  enter: "Enter an amount, like {example}.",
  zero: "Enter an amount above zero.",
  tooLarge: "Enter at most {amount}.",
  noDecimals: "{currency} has no decimal places. Enter an amount, like {example}.",
  decimals: "{currency} has {count} decimal places. Enter an amount, like {example}.",
  ambiguous: "“{text}” can mean {one} or {other}. Enter {typedOne} or {typedOther}.",
} as const;
