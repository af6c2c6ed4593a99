import { format, stripVTControlCharacters } from "node:util";
import { findUnavailableError } from "../contract/database-unavailable.ts";
import type { Log } from "../deps/deps.ts";

const levels = { trace: "debug", debug: "debug", log: "debug", info: "debug", warn: "warn", error: "error" } as const;
const maxCharacters = 8_000;

/**
 * Sends console output of libraries and Node's warnings to the log, so that standard output has only JSON lines
 * (docs/spec/operations.md, Logs). Call it before Next is loaded, since Next keeps references to the console.
 */
export const sendConsoleToLog = (log: Log): void => {
  for (const [method, level] of Object.entries(levels)) {
    Reflect.set(console, method, (...values: unknown[]) => {
      const err = values.find((value) => value instanceof Error);
      const text = stripVTControlCharacters(format(...values.filter((value) => value !== err))).trim();
      const message = text.slice(0, maxCharacters) || "printed without text";
      // The log line of the request says the same.
      const shown = findUnavailableError(err) ? "warn" : level;
      log[shown](err === undefined ? { printedBy: method } : { printedBy: method, err }, message);
    });
  }
  // Node's own listener prints them.
  process.removeAllListeners("warning");
  process.on("warning", (err) => {
    if (err.name !== "ExperimentalWarning") log.warn({ err }, "process warning");
  });
};
