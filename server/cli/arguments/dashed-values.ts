import type { ParseArgsOptionsConfig } from "node:util";

/**
 * A kid is base64url and may begin with a dash. `parseArgs` would read such a kid as another option.
 * @param named the options that take such values.
 * @returns the arguments, with each such value joined to its option by `=`.
 */
export const joinDashedValues = (
  [first, second, ...rest]: readonly string[],
  named: readonly string[],
  options: ParseArgsOptionsConfig,
): string[] => {
  if (first === undefined) return [];
  if (second === undefined) return [first];
  const isValue = named.includes(first.slice(2)) && first.startsWith("--") && !isOption(second, options);
  if (isValue) return [`${first}=${second}`, ...joinDashedValues(rest, named, options)];
  return [first, ...joinDashedValues([second, ...rest], named, options)];
};

const isOption = (text: string, options: ParseArgsOptionsConfig): boolean =>
  text.startsWith("--") && Object.hasOwn(options, text.slice(2).split("=", 1)[0] ?? "");
