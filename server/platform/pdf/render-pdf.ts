import path from "node:path";
import { Worker } from "node:worker_threads";
import { DomainError } from "../../kernel/errors.ts";
import type { PdfDocument } from "./pdf-document.ts";

/** A path and not a URL of this module: a bundler would copy the worker without its imports. */
const workerPath = path.resolve("server/platform/pdf/pdf-worker.ts");
const maxWaiting = 20;
const limitMilliseconds = 10_000;
/** The thread ends after this time without work. */
const idleMilliseconds = 60_000;

type Waiting = { resolve: (bytes: Uint8Array) => void; reject: (error: Error) => void; timer: NodeJS.Timeout };
type Answer = { id: number; bytes?: Uint8Array; problem?: string };

const waiting = new Map<number, Waiting>();
let worker: Worker | null = null;
let idle: NodeJS.Timeout | undefined;
let lastId = 0;

/**
 * Draws a document in a worker thread, so that it delays no other request of this process.
 * @throws DomainError unavailable if too many documents are waiting, or if the thread fails.
 */
export const renderPdf = (content: PdfDocument): Promise<Uint8Array> => {
  if (waiting.size >= maxWaiting) return Promise.reject(busyRefusal());
  worker ??= startWorker();
  clearTimeout(idle);
  lastId += 1;
  const id = lastId;
  const rendered = new Promise<Uint8Array>((resolve, reject) => {
    const timer = setTimeout(() => fail(new Error("the PDF thread timed out")), limitMilliseconds);
    waiting.set(id, { resolve, reject, timer });
  });
  worker.postMessage({ id, content });
  return rendered;
};

const startWorker = (): Worker => {
  const started = new Worker(workerPath, { name: "pdf", execArgv: ["--disable-warning=ExperimentalWarning"] });
  started.unref();
  started.on("message", settle);
  started.on("error", fail);
  return started;
};

const settle = ({ id, bytes, problem }: Answer): void => {
  const entry = waiting.get(id);
  if (!entry) return;
  waiting.delete(id);
  clearTimeout(entry.timer);
  if (bytes) entry.resolve(bytes);
  else entry.reject(new Error(problem));
  if (waiting.size === 0) idle = setTimeout(stopWorker, idleMilliseconds).unref();
};

const fail = (error: Error): void => {
  for (const { reject, timer } of waiting.values()) {
    clearTimeout(timer);
    reject(error);
  }
  waiting.clear();
  stopWorker();
};

const stopWorker = (): void => {
  void worker?.terminate();
  worker = null;
};

const busyRefusal = (): DomainError =>
  new DomainError("unavailable", {
    code: "temporarily_unavailable",
    message: "Too many documents are being created. Try again in a moment.",
    headers: { "retry-after": "5" },
  });
