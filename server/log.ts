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
    : pino.destination({ dest: 1, sync: true });
  // A reader that went away takes nothing with it.
  destination.on("error", () => {});
  return pino(
    {
      level,
      base: { ...base, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretNames.flatMap((name) => [`["${name}"]`, `*["${name}"]`]), censor: "[redacted]" },
    },
    destination,
  );
};
