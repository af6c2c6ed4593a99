import { parentPort } from "node:worker_threads";
import { drawPdf } from "./draw-pdf.ts";
import type { PdfDocument } from "./pdf-document.ts";

/** Runs as a worker thread (render-pdf.ts). */
parentPort?.on("message", async ({ id, content }: { id: number; content: PdfDocument }) => {
  try {
    const bytes = await drawPdf(content);
    parentPort?.postMessage({ id, bytes });
  } catch (error) {
    parentPort?.postMessage({ id, problem: String(error) });
  }
});
