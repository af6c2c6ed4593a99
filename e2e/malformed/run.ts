import { listOperations } from "../support/answers/openapi-operations.ts";
import { createClient, type Exchange } from "./connection.ts";
import { judge } from "./judge.ts";
import { type Case, makeCase } from "./make-case.ts";
import { makePrerequisites } from "./valid-requests.ts";

export type Finding = { caseNumber: number; title: string; problem: string; sent: string };

export type Figures = {
  sent: number;
  answered: number;
  /** connections closed without a response, which is allowed only for what isn't HTTP */
  closed: number;
  byStatus: Readonly<Record<string, number>>;
  slowestMilliseconds: number;
  seconds: number;
  findings: Finding[];
};

type Options = {
  baseUrl: string;
  /** the URL of the process that serves the paths below /status */
  statusUrl: string;
  seed: number;
  total: number;
  /** how many clients send in parallel */
  clients: number;
  /** runs only this case */
  only?: number;
  onProgress?(): Promise<void>;
};

/** Tokens are valid for five minutes, and some requests use up the secrets that they need. */
const renewAfterCases = 1_000;
const progressAfterCases = 5_000;
/** The run ends after this many findings, because more would add no information. */
const enoughFindings = 200;

type Tally = Omit<Figures, "byStatus" | "seconds"> & { byStatus: Record<string, number> };

/** Counts a request and its responses. @returns what is wrong with them. */
const tally = (figures: Tally, { answers, milliseconds }: Exchange, made: Case): string[] => {
  figures.slowestMilliseconds = Math.max(figures.slowestMilliseconds, milliseconds);
  if (answers.length > 0) figures.answered += 1;
  else figures.closed += 1;
  for (const { status } of answers) figures.byStatus[status] = (figures.byStatus[status] ?? 0) + 1;
  if (answers.length === 0 && made.outgoing.isWhole) return ["closed without an answer"];
  const request = { operation: made.operation, method: made.outgoing.method };
  return answers.map((answer) => judge(answer, request)).filter((problem) => problem !== null);
};

const toFinding = ({ title, written: { head, body } }: Case, caseNumber: number, problem: string): Finding => ({
  caseNumber,
  title,
  problem,
  sent: `${head}${body.toString("latin1", 0, 2_000)}`.slice(0, 4_000),
});

/** Sends malformed requests to every documented operation. */
export const sendMalformed = async (options: Options): Promise<Figures> => {
  const { baseUrl, statusUrl, seed, only } = options;
  const operations = await listOperations(baseUrl);
  const startedAt = performance.now();
  const figures: Tally = { sent: 0, answered: 0, closed: 0, byStatus: {}, slowestMilliseconds: 0, findings: [] };
  const end = only === undefined ? options.total : only + 1;
  let prerequisites = makePrerequisites(baseUrl);
  let next = only ?? 0;

  const runClient = async (): Promise<void> => {
    const clients = { base: createClient(baseUrl), status: createClient(statusUrl) };
    while (next < end && figures.findings.length < enoughFindings) {
      const caseNumber = next++;
      if (caseNumber % renewAfterCases === renewAfterCases - 1) prerequisites = makePrerequisites(baseUrl);
      const made = await makeCase(seed, caseNumber, { baseUrl, statusUrl, operations, at: await prerequisites });
      const problems = await clients[made.isForStatus ? "status" : "base"].exchange(made.outgoing).then(
        (exchange) => tally(figures, exchange, made),
        (error: unknown) => [String(error)],
      );
      figures.findings.push(...problems.map((problem) => toFinding(made, caseNumber, problem)));
      figures.sent += 1;
      if (figures.sent % progressAfterCases === 0) await options.onProgress?.();
    }
    clients.base.close();
    clients.status.close();
  };

  await Promise.all(Array.from({ length: options.clients }, runClient));
  return { ...figures, seconds: (performance.now() - startedAt) / 1000 };
};
