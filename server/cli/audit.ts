import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import { type AuditHead, readAuditHead } from "../audit/audit-head.ts";
import { chainEntries } from "../audit/chain-entries.ts";
import { exportAudit } from "../audit/export-audit.ts";
import { type ChainedEntry, entryToJson } from "../audit/rules/chain.ts";
import type { Report } from "../audit/rules/verifier.ts";
import { searchAudit } from "../audit/search-audit.ts";
import { verifyAudit } from "../audit/verify-audit.ts";
import { verifyExport } from "../audit/verify-export.ts";
import { isDomainError } from "../kernel/errors.ts";
import { answerHelp } from "./arguments/answer-help.ts";
import { joinDashedValues } from "./arguments/dashed-values.ts";
import { enterService } from "./service/started-service.ts";
import { withDeps } from "./service/with-deps.ts";

const usage = `npm run audit -- verify [--anchor FILE]               checks the whole log against its chain
npm run audit -- verify --file FILE [--anchor FILE]   checks an export file, without a database
npm run audit -- export [--from T] [--to T] [--out FILE]   JSON lines with their proof
npm run audit -- search [--from T] [--to T] [--actor ID] [--action A] [--subject ID] [--request ID] [--limit N] [--cursor C] [--json]
T: RFC 3339, or a date in UTC; search covers the last day by default. --anchor: an earlier export or signed head.
with --sandbox: the sandbox's log`;

answerHelp(usage);

const refuse = (problem: string): never => {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
};

const options = {
  file: { type: "string" },
  anchor: { type: "string" },
  out: { type: "string" },
  from: { type: "string" },
  to: { type: "string" },
  actor: { type: "string" },
  action: { type: "string" },
  subject: { type: "string" },
  request: { type: "string" },
  limit: { type: "string" },
  cursor: { type: "string" },
  json: { type: "boolean", default: false },
  sandbox: { type: "boolean", default: false },
} as const;

const readArguments = () => {
  try {
    const args = joinDashedValues(process.argv.slice(2), ["subject", "cursor"], options);
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : error}\n${usage}`);
  }
};

const { values, positionals } = readArguments();
const [command = "", ...rest] = positionals;
if (rest.length > 0 || !["verify", "export", "search"].includes(command)) {
  refuse(`${positionals.join(" ") || "no command"}: use verify, export or search\n${usage}`);
}

const timeArgument = z.union([z.iso.datetime({ offset: true }), z.iso.date()]).pipe(z.coerce.date());

const instant = (name: "from" | "to"): Date | undefined => {
  const text = values[name];
  if (text === undefined) return undefined;
  return timeArgument.safeParse(text).data ?? refuse(`--${name}: must be an RFC 3339 time or a date in UTC`);
};

const readLines = (file: string) => {
  const input = createReadStream(file);
  input.once("error", () => refuse(`${file}: can't be read`));
  return createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
};

const headLine = z.object({ head: z.string() });

/** The file contains only a head, or an export that ends with the head. */
const readAnchors = async (): Promise<AuditHead[]> => {
  if (values.anchor === undefined) return [];
  const anchors: AuditHead[] = [];
  for await (const line of readLines(values.anchor)) {
    try {
      const token = line.startsWith('{"head"') ? headLine.parse(JSON.parse(line)).head : line;
      if (token.startsWith("ey")) anchors.push(await readAuditHead(token));
    } catch {
      return refuse(`${values.anchor}: contains a damaged head`);
    }
  }
  return anchors.length > 0 ? anchors : refuse(`${values.anchor}: contains no head`);
};

const number = (value: number): string => value.toLocaleString("en-GB");

/** The findings, and the exit code for them. */
const describeReport = (report: Report, more: readonly string[]): string => {
  const { blocks, entries, retired, omitted, problems } = report;
  if (problems.length > 0) process.exitCode = 1;
  return [
    ...problems.map(
      ({ shard, block, problem }) => `✗ shard ${shard}${block === null ? "" : `, block ${block}`}: ${problem}`,
    ),
    `${problems.length > 0 ? "✗ changed" : "✓ unchanged"}: ${number(entries)} entries in ${number(blocks)} blocks`,
    ...(retired > 0 ? [`  ${number(retired)} older entries were deleted after ten years`] : []),
    ...(omitted > 0 ? [`  ${number(omitted)} entries are not in this file`] : []),
    ...more.map((line) => `  ${line}`),
  ].join("\n");
};

const describeHead = ({ issuer, issuedAt, kid }: AuditHead): string =>
  `head of ${issuer} at ${issuedAt.toISOString()}, signed by key ${kid}`;

const checkFile = async (file: string): Promise<string> => {
  const anchors = await readAnchors();
  try {
    const report = await verifyExport(readLines(file), { anchors, now: new Date() });
    return describeReport(report, [
      `made at ${report.madeAt.toISOString()}`,
      ...(report.head
        ? [
            describeHead(report.head),
            "compare the key with /.well-known/jwks.json, or with an earlier copy of that file",
          ]
        : []),
      ...anchors.map((anchor) => `compared with the ${describeHead(anchor)}`),
    ]);
  } catch (error) {
    return refuse(`${file}: ${error instanceof Error ? error.message : error}`);
  }
};

const write = async (output: Writable, lines: AsyncIterable<string>): Promise<void> => {
  for await (const line of lines) if (!output.write(`${line}\n`)) await once(output, "drain");
};

/** Never overwrites a file: it may be the only copy of an earlier head. */
const writeFile = async (name: string, lines: AsyncIterable<string>): Promise<void> => {
  const file = createWriteStream(name, { flags: "wx", mode: 0o600 });
  const isWritten = finished(file);
  try {
    await Promise.race([write(file, lines), isWritten]);
    file.end();
    await isWritten;
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    refuse(`${name}: ${"code" in error && error.code === "EEXIST" ? "exists already" : "can't be written"}`);
  }
};

const formatEntry = (entry: ChainedEntry): string =>
  values.json
    ? JSON.stringify(entryToJson(entry))
    : `${entry.at.toISOString()}  ${entry.action}  ${entry.actorKind} ${entry.actorId}  → ${entry.subjectId}  ${entry.requestId}  ${JSON.stringify(entry.data)}`;

const commands = {
  verify: () =>
    withDeps(async (deps) => {
      await chainEntries(deps);
      const anchors = await readAnchors();
      const { waiting, ...report } = await verifyAudit(deps, { anchors });
      return describeReport(report, [
        `${number(waiting.entries)} entries are not chained yet${waiting.since ? `; the oldest is from ${waiting.since.toISOString()}` : ""}`,
        ...anchors.map((anchor) => `compared with the ${describeHead(anchor)}`),
      ]);
    }),
  export: () =>
    withDeps(async (deps) => {
      await chainEntries(deps);
      const lines = exportAudit(deps, { from: instant("from") ?? null, to: instant("to") ?? null });
      if (values.out === undefined) {
        await write(process.stdout, lines);
        return null;
      }
      await writeFile(values.out, lines);
      return `written to ${values.out}`;
    }),
  search: () =>
    withDeps(async (deps) => {
      const { actor: actorId, action, subject: subjectId, request: requestId, cursor } = values;
      const limit = values.limit === undefined ? undefined : Number(values.limit);
      const query = {
        from: instant("from"),
        to: instant("to"),
        actorId,
        action,
        subjectId,
        requestId,
        cursor,
        limit,
      };
      try {
        const { entries, nextCursor } = await searchAudit(deps, query);
        if (nextCursor !== null) process.stderr.write(`more: --cursor ${nextCursor}\n`);
        if (entries.length > 0) return entries.map(formatEntry).join("\n");
        process.stderr.write(
          `nothing found${values.from === undefined ? " in the last day; use --from to search further back" : ""}\n`,
        );
        return null;
      } catch (error) {
        return isDomainError(error) ? refuse(error.message) : Promise.reject(error);
      }
    }),
};

if (command === "verify" && values.file !== undefined) process.stdout.write(`${await checkFile(values.file)}\n`);
else {
  await enterService(values.sandbox ? "sandbox" : "production");
  await commands[command as keyof typeof commands]();
}
process.disconnect?.();
