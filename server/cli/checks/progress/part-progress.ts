import type { ProgressEvent, TestOutcome } from "./event.ts";

/** `total` is null until every file is loaded, because only then all tests are known. */
export type Counts = {
  passed: number;
  failed: number;
  /** passed, failed and skipped */
  done: number;
  /** tests of the files that are loaded */
  found: number;
  total: number | null;
  filesLoaded: number;
  filesTotal: number | null;
};

/**
 * A running test. If `title` is null: a file that is being loaded, set up or cleaned up, while none of its tests runs.
 */
export type Running = { file: string; title: string | null; startedAt: number };

/** A failed test, and why it failed. */
export type Failure = { file: string; title: string; error: string };

export type PartProgress = {
  readonly name: string;
  /** on the clock of performance.now(), like all times here */
  readonly startedAt: number;
  apply(event: ProgressEvent): void;
  counts(): Counts;
  /** tests and files that have started and not finished */
  running(): Running[];
  /** tests whose last result is a failure */
  failures(): Failure[];
  /** tests that passed after a failure, and why they failed */
  recovered(): Failure[];
};

type Result = Failure & { result: TestOutcome };

const withResult = (results: ReadonlyMap<string, Result>, wanted: TestOutcome): Result[] =>
  [...results.values()].filter(({ result }) => result === wanted);

type Files = { filesTotal: number | null; testsPerFile: ReadonlyMap<string, number> };

const countsOf = (results: ReadonlyMap<string, Result>, { filesTotal, testsPerFile }: Files): Counts => {
  const found = [...testsPerFile.values()].reduce((sum, tests) => sum + tests, 0);
  return {
    passed: withResult(results, "passed").length,
    failed: withResult(results, "failed").length,
    done: results.size,
    found,
    total: testsPerFile.size === filesTotal ? found : null,
    filesLoaded: testsPerFile.size,
    filesTotal,
  };
};

/** The progress that one part has reported so far. */
export const createPartProgress = (name: string): PartProgress => {
  let filesTotal: number | null = null;
  const testsPerFile = new Map<string, number>();
  const runningFiles = new Map<string, Running>();
  const runningTests = new Map<string, Running>();
  // Results by test. A test that is retried reports several results, and the last one counts. The error is kept.
  const results = new Map<string, Result>();

  const apply = (event: ProgressEvent): void => {
    const startedAt = performance.now();
    switch (event.kind) {
      case "filesFound":
        filesTotal = event.total;
        break;
      case "fileStarted":
        runningFiles.set(event.file, { file: event.file, title: null, startedAt });
        break;
      case "fileLoaded":
        testsPerFile.set(event.file, event.tests);
        break;
      case "fileFinished":
        runningFiles.delete(event.file);
        // A file that can't be loaded has no tests.
        if (!testsPerFile.has(event.file)) testsPerFile.set(event.file, 0);
        break;
      case "testStarted":
        runningTests.set(event.id, { file: event.file, title: event.title, startedAt });
        break;
      case "testFinished": {
        const { file = "", title = null } = runningTests.get(event.id) ?? {};
        runningTests.delete(event.id);
        const error = event.error ?? results.get(event.id)?.error ?? "";
        results.set(event.id, { file, title: title ?? "", error, result: event.result });
      }
    }
  };

  const running = (): Running[] => {
    const tests = [...runningTests.values()];
    const files = [...runningFiles.values()].filter(({ file }) => !tests.some((test) => test.file === file));
    return [...tests, ...files];
  };

  return {
    name,
    startedAt: performance.now(),
    apply,
    counts: () => countsOf(results, { filesTotal, testsPerFile }),
    running,
    failures: () => withResult(results, "failed"),
    recovered: () => withResult(results, "passed").filter(({ error }) => error !== ""),
  };
};
