import path from "node:path";
import { Worker } from "node:worker_threads";
import { DomainError } from "../../kernel/errors.ts";
import type { PdfDocument } from "./pdf-document.ts";

/**
 * A path, because a bundler would copy a worker that is named by a URL relative to this module, but not the modules
 * that the worker imports.
 */
const workerPath = path.resolve("server/platform/pdf/pdf-worker.ts");
const maxWaiting = 20;
/** Maximum time to draw one document, including the start of the thread but not the wait for other documents. */
const limitMilliseconds = 30_000;
/** The thread ends after this time without work. */
const idleMilliseconds = 60_000;

type Job = { id: number; content: PdfDocument; resolve: (bytes: Uint8Array) => void; reject: (error: Error) => void };
type Answer = { id: number; bytes?: Uint8Array; problem?: string };

/** Documents in the order in which they are drawn. The thread draws the first one. */
const jobs: Job[] = [];
let worker: Worker | null = null;
/** Ends the drawing that takes too long, or the thread that has no work. */
let timer: NodeJS.Timeout | undefined;
let lastId = 0;

/**
 * Draws a document in a worker thread, so that it doesn't delay other requests of this process.
 * @throws DomainError unavailable if too many documents are waiting; Error if the drawing fails or takes too long.
 */
export const renderPdf = (content: PdfDocument): Promise<Uint8Array> => {
  if (jobs.length >= maxWaiting) return Promise.reject(busyRefusal());
  lastId += 1;
  const id = lastId;
  const rendered = new Promise<Uint8Array>((resolve, reject) => {
    jobs.push({ id, content, resolve, reject });
  });
  if (jobs.length === 1) startNext();
  return rendered;
};

const startNext = (): void => {
  clearTimeout(timer);
  const job = jobs[0];
  if (!job) {
    timer = setTimeout(stopWorker, idleMilliseconds).unref();
    return;
  }
  worker ??= startWorker();
  timer = setTimeout(() => fail(new Error("the PDF thread timed out")), limitMilliseconds);
  worker.postMessage({ id: job.id, content: job.content });
};

const startWorker = (): Worker => {
  const started = new Worker(workerPath, { name: "pdf", execArgv: ["--disable-warning=ExperimentalWarning"] });
  started.unref();
  started.on("message", settle);
  started.on("error", fail);
  return started;
};

const settle = ({ id, bytes, problem }: Answer): void => {
  if (jobs[0]?.id !== id) return;
  const job = jobs.shift();
  if (bytes) job?.resolve(bytes);
  else job?.reject(new Error(problem));
  startNext();
};

/** Refuses the document that was being drawn. The next one gets a new thread. */
const fail = (error: Error): void => {
  stopWorker();
  jobs.shift()?.reject(error);
  startNext();
};

const stopWorker = (): void => {
  worker?.removeAllListeners();
  void worker?.terminate();
  worker = null;
};

const busyRefusal = (): DomainError =>
  new DomainError("unavailable", {
    code: "temporarily_unavailable",
    message: "Too many documents are being created. Try again in a moment.",
    headers: { "retry-after": "5" },
  });
