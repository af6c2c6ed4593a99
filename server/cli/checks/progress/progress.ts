import { createBlockDisplay, type Output } from "./display.ts";
import { formatBlock, formatProgressLine, type Snapshot } from "./format-progress.ts";
import { formatOutcome, type Outcome } from "./outcome.ts";
import { createPartProgress, type PartProgress } from "./part-progress.ts";

const redrawMilliseconds = 1_000;
const lineMilliseconds = 60_000;

export type Progress = {
  /** Prints text that ends with a line feed. */
  print(text: string): void;
  /** @param kind a tool reports no tests */
  begin(name: string, kind: "tool" | "tests"): PartProgress;
  /** Prints the outcome of a part, even if the part was never begun. */
  finish(outcome: Outcome): void;
  close(): void;
};

type Started = { part: PartProgress; kind: "tool" | "tests" };

/** A terminal that can move its cursor. */
const canRedraw = (output: Output): boolean => output.isTTY === true && process.env["TERM"] !== "dumb";

/**
 * Shows how far each part is. On a terminal, the lines are redrawn in place; elsewhere, a line is printed each minute.
 * @param parts all that will run, by name
 */
export const createProgress = (parts: readonly string[], output: Output = process.stdout): Progress => {
  const startedAt = performance.now();
  const waiting = new Set(parts);
  const running = new Map<string, Started>();
  let finishedTests = 0;

  const takeSnapshot = (): Snapshot => {
    const now = performance.now();
    return {
      seconds: (now - startedAt) / 1000,
      finishedTests,
      running: [...running.values()].map(({ part, kind }) => ({
        name: part.name,
        seconds: (now - part.startedAt) / 1000,
        counts: kind === "tool" ? null : part.counts(),
      })),
      waiting: [...waiting],
    };
  };

  const isTerminal = canRedraw(output);
  const block = createBlockDisplay(output, () => (isTerminal && running.size > 0 ? formatBlock(takeSnapshot()) : []));
  const showLine = () => block.print(`${formatProgressLine(takeSnapshot())}\n`);
  const timer = isTerminal ? setInterval(block.refresh, redrawMilliseconds) : setInterval(showLine, lineMilliseconds);
  timer.unref();

  return {
    print: block.print,
    begin(name, kind) {
      const part = createPartProgress(name);
      waiting.delete(name);
      running.set(name, { part, kind });
      return part;
    },
    finish(outcome) {
      const counts = running.get(outcome.name)?.part.counts();
      finishedTests += Math.max(counts?.done ?? 0, outcome.passed + outcome.failed);
      waiting.delete(outcome.name);
      running.delete(outcome.name);
      block.print(formatOutcome(outcome));
    },
    close() {
      clearInterval(timer);
      block.close();
    },
  };
};
