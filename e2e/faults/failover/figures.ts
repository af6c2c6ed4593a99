import type { Round } from "./round.ts";

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] =
    sorted.length % 2 ? [sorted[middle], sorted[middle]] : sorted.slice(middle - 1, middle + 1);
  return (low + high) / 2;
};

const failures = (rounds: readonly Round[], status: string): number =>
  rounds.reduce((sum, { tokens, payments }) => sum + (tokens[status] ?? 0) + (payments[status] ?? 0), 0);

/** A table of all rounds, with one line for each fault. The rates are the medians outside the gaps. */
export const formatRounds = (rounds: readonly Round[]): string => {
  const header = [
    "fault",
    "rounds",
    "seconds without writes: median",
    "max",
    "503",
    "no response",
    "500",
    "tokens/s",
    "charges/s",
  ];
  const rows = [...Map.groupBy(rounds, ({ fault }) => fault)].map(([fault, own]) => {
    const seconds = own.map(({ secondsWithoutWrites }) => secondsWithoutWrites);
    return [
      fault,
      own.length,
      median(seconds).toFixed(1),
      Math.max(...seconds).toFixed(1),
      failures(own, "503"),
      failures(own, "0"),
      failures(own, "500"),
      median(own.map(({ tokensPerSecond }) => tokensPerSecond)),
      median(own.map(({ chargesPerSecond }) => chargesPerSecond)),
    ];
  });
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n");
};
