import { format, stripVTControlCharacters } from "node:util";
import type { Log } from "../deps/deps.ts";

const levels = { trace: "debug", debug: "debug", log: "debug", info: "debug", warn: "warn", error: "error" } as const;
const maxCharacters = 8_000;

/**
 * Writes what libraries print, and Node's warnings, as lines of the log: standard output holds JSON lines and nothing
 * else (docs/spec/operations.md, Logs). Call it before Next is loaded, which keeps what it finds.
 */
export const sendConsoleToLog = (log: Log): void => {
  for (const [method, level] of Object.entries(levels)) {
    Reflect.set(console, method, (...values: unknown[]) => {
      const err = values.find((value) => value instanceof Error);
      const text = stripVTControlCharacters(format(...values.filter((value) => value !== err))).trim();
      const message = text.slice(0, maxCharacters) || "printed without text";
      log[level](err === undefined ? { printedBy: method } : { printedBy: method, err }, message);
    });
  }
  // Node's own listener prints them.
  process.removeAllListeners("warning");
  process.on("warning", (err) => {
    if (err.name !== "ExperimentalWarning") log.warn({ err }, "process warning");
  });
};
