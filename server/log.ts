import pino from "pino";
import pretty from "pino-pretty";
import type { Log } from "./deps.ts";

/** Never written, wherever they come from; logging them is a mistake, and this is its net. */
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
];

/** JSON lines on stdout; words and colours where a person reads them on a terminal. */
export const createLog = (base: Readonly<Record<string, string>>, level: string): Log => {
  const destination = process.stdout.isTTY
    ? pretty({
        sync: true,
        translateTime: "SYS:HH:MM:ss",
        ignore: "pid,environment,role",
        messageFormat: "{environment} {role}: {msg}",
      })
    : bufferedStdout();
  // A reader that went away takes nothing with it.
  destination.on("error", () => {});
  const options: pino.LoggerOptions = {
    level,
    base: { ...base, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  };
  const redact = { paths: secretNames.flatMap((name) => [`["${name}"]`, `*["${name}"]`]), censor: "[redacted]" };
  const log = pino({ ...options, redact }, destination);
  // One line per request: its four fields are ours, so there is nothing to look through for secrets.
  const requests = pino(options, destination);
  return {
    debug: log.debug.bind(log),
    info: log.info.bind(log),
    warn: log.warn.bind(log),
    error: log.error.bind(log),
    request: (line) => requests.info(line, "request"),
  };
};

const flushMilliseconds = 250;
const flushLines = 256;

/**
 * Lines leave together, a quarter of a second late at the most; what is left leaves when the process ends. They are
 * gathered here and not by the destination, which measures all that it holds again for each line.
 */
const bufferedStdout = () => {
  const stdout = pino.destination({ dest: 1, sync: false });
  let lines: string[] = [];
  const flush = (): void => {
    if (lines.length === 0) return;
    const text = lines.join("");
    lines = [];
    stdout.write(text);
  };
  setInterval(flush, flushMilliseconds).unref();
  process.on("exit", () => {
    flush();
    try {
      stdout.flushSync();
    } catch {
      // Nobody reads any more.
    }
  });
  return {
    write(line: string): void {
      lines.push(line);
      if (lines.length >= flushLines) flush();
    },
    on: stdout.on.bind(stdout),
  };
};
