import { StartError } from "#server/cli/supervisor/steps.ts";
import { median } from "../measure.ts";
import { latencyTargets } from "../targets.ts";
import { fewest, flatRule, isOurs, latencyRule, memoryRule, type Rule, trendOf } from "./flat.ts";
import { type Period, soakedKeys } from "./mix.ts";

const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)}`;

/** Prints one line for the last period. The first line is below a heading. */
export const printPeriod = (periods: readonly Period[], seconds: number): void => {
  const last = periods.at(-1);
  if (!last) return;
  const names = ["stolen", ...soakedKeys, ...last.memory.map(({ name }) => name)];
  const cells = [
    `${Math.round(last.stolen * 100)}%`,
    ...soakedKeys.map((key) => last.latency[key].p99.toFixed(1)),
    ...last.memory.map(({ resident, heap }) =>
      heap === null ? megabytes(resident) : `${megabytes(resident)} / ${megabytes(heap)}`,
    ),
  ];
  const line = (first: string, rest: readonly string[]) =>
    [first.padStart(7), ...rest.map((cell, index) => cell.padStart(names[index]?.length ?? 0))].join("  ");
  const head = `stolen: share of the processors' time that other machines used; p99 in ms as the client sees it; memory in MiB: resident / heap after a garbage collection; for PostgreSQL, the lowest resident memory of the period.\n${line("minute", names)}\n`;
  const minute = ((periods.length * seconds) / 60).toFixed(1);
  process.stdout.write(`${periods.length === 1 ? head : ""}${line(minute, cells)}\n`);
};

type Finding = { text: string; isMet: boolean };

const trend = (
  name: string,
  figures: readonly number[],
  { rule, show }: { rule: Rule; show: (figure: number) => string },
): Finding[] => {
  const found = trendOf(figures, rule);
  return found ? [{ text: `${name}: ${show(found.first)} → ${show(found.last)}`, isMet: found.isFlat }] : [];
};

const ofLatency = (periods: readonly Period[]): Finding[] =>
  soakedKeys.flatMap((key) => {
    const figures = periods.map(({ latency }) => latency[key].p99);
    const target = latencyTargets[key]?.p99;
    const usual = median(figures);
    return [
      ...trend(`${key} p99`, figures, { rule: latencyRule, show: (figure) => `${figure.toFixed(1)} ms` }),
      ...(target === undefined
        ? []
        : [{ text: `${key} p99 within ${target} ms: ${usual.toFixed(1)} ms`, isMet: usual <= target }]),
    ];
  });

const ofMemory = (periods: readonly Period[]): Finding[] =>
  (periods[0]?.memory ?? []).flatMap(({ name }, index) => {
    const all = periods.flatMap(({ memory }) => memory[index] ?? []);
    const show = (bytes: number) => `${megabytes(bytes)} MiB`;
    const heaps = all.flatMap(({ heap }) => heap ?? []);
    return [
      ...trend(
        `${name} resident`,
        all.map(({ resident }) => resident),
        { rule: memoryRule, show },
      ),
      ...trend(`${name} heap`, heaps, { rule: memoryRule, show }),
    ];
  });

const ofStarts = (periods: readonly Period[]): Finding[] =>
  (periods[0]?.memory ?? []).flatMap(({ name, startedAt }, index) =>
    periods.every(({ memory }) => memory[index]?.startedAt === startedAt)
      ? []
      : [{ text: `${name} was restarted`, isMet: false }],
  );

/** docs/spec/product.md, Components and hosts: the authorization server's objective is 99.9%. */
const failingShare = 0.001;

const ofAnswers = (answered: number, failed: number): Finding => ({
  text: `${failed} of ${(answered + failed).toLocaleString("en-GB")} requests failed (limit: ${failingShare * 100}%)`,
  isMet: failed <= failingShare * (answered + failed),
});

/** Prints which rules are met. @throws StartError when one isn't. */
export const printVerdict = (periods: readonly Period[]): void => {
  const ours = periods.filter(isOurs);
  if (ours.length < Math.min(fewest, periods.length)) {
    throw new StartError(`no result: only ${ours.length} of ${periods.length} periods count`);
  }
  const results = periods.flatMap(({ latency }) => soakedKeys.map((key) => latency[key]));
  const sum = (of: "answered" | "failures") => results.reduce((total, result) => total + result[of], 0);
  const findings = [
    ofAnswers(sum("answered"), sum("failures")),
    ...ofLatency(ours),
    ...ofMemory(ours),
    ...ofStarts(periods),
  ];
  const lines = findings.map(({ text, isMet }) => `${isMet ? "✓" : "✗"} ${text}`);
  const judged = `${ours.length} of ${periods.length} periods count.`;
  process.stdout.write(`\n${flatRule} ${judged}\n${lines.join("\n")}\n`);
  const broken = findings.filter(({ isMet }) => !isMet);
  if (broken.length > 0) throw new StartError(`not met: ${broken.map(({ text }) => text).join("; ")}`);
};
