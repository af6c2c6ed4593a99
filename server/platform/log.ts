import pino from "pino";
import type { Log } from "../deps/deps.ts";
import { terminalDestination } from "./terminal-log.ts";

/** Fields that are never logged. Code must not log them; this is a safety net. */
const secretNames = [
  "authorization",
  "cookie",
  "set-cookie",
  "dpop",
  "password",
  "secret",
  "token",
  "access_token",
  "refresh_token",
  "client_assertion",
  "code_verifier",
  "privateKey",
  "masterKey",
  "databaseUrl",
  "databaseDirectUrl",
  "databaseReplicaUrl",
];

/** JSON lines on stdout; on a terminal, readable lines (terminal-log.ts). */
export const createLog = (base: Readonly<Record<string, string>>, level: string): Log => {
  const destination = process.stdout.isTTY ? terminalDestination(level) : bufferedStdout();
  // A closed stdout must not end the process.
  destination.on("error", () => {});
  const common = { ...base, pid: process.pid };
  const options: pino.LoggerOptions = {
    level,
    base: common,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  };
  const redact = { paths: secretNames.flatMap((name) => [`["${name}"]`, `*["${name}"]`]), censor: "[redacted]" };
  const log = pino({ ...options, redact }, destination);
  const toLine = requestLine(common);
  return {
    debug: log.debug.bind(log),
    info: log.info.bind(log),
    warn: log.warn.bind(log),
    error: log.error.bind(log),
    request: log.isLevelEnabled("info") ? (line) => void destination.write(toLine(line, Date.now())) : () => {},
  };
};

/**
 * One line per request, as pino would write it. All values are our own, so there is nothing to escape or to redact.
 * pino isn't used, because writing one line would add about 10% to the time of the shortest responses.
 */
export const requestLine = (common: Readonly<Record<string, string | number>>) => {
  const rest = JSON.stringify(common).slice(1, -1);
  let last = { at: 0, text: "" };
  return (line: Parameters<Log["request"]>[0], at: number): string => {
    const { requestId, operation, status, milliseconds, isBackground } = line;
    // In a busy process about twenty lines share one millisecond.
    if (at !== last.at) last = { at, text: new Date(at).toISOString() };
    return `{"level":"info","time":"${last.text}",${rest},"requestId":"${requestId}","operation":"${operation}","status":${status},"milliseconds":${milliseconds},${isBackground ? '"background":true,' : ""}"msg":"request"}\n`;
  };
};

const flushMilliseconds = 250;
const flushLines = 256;

/**
 * Lines are written together, at most a quarter of a second late; the rest is written when the process ends. They are
 * buffered here and not by the destination, which measures its whole buffer again for each line.
 */
const bufferedStdout = () => {
  const stdout = pino.destination({ dest: 1, sync: false });
  let [text, lines] = ["", 0];
  const flush = (): void => {
    if (lines === 0) return;
    const gathered = text;
    [text, lines] = ["", 0];
    stdout.write(gathered);
  };
  setInterval(flush, flushMilliseconds).unref();
  process.on("exit", () => {
    flush();
    try {
      stdout.flushSync();
    } catch {
      // stdout is closed.
    }
  });
  return {
    write(line: string): void {
      text += line;
      lines += 1;
      if (lines >= flushLines) flush();
    },
    on: stdout.on.bind(stdout),
  };
};
