"use client";
import { useRef, useState } from "react";
import { useAct } from "../../portal/acts/use-act.tsx";
import portal from "../../portal/portal.module.css";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { type AuditFilter, exportCsv, exportLines, saveFile } from "./export-audit.ts";
import { type ChainReport, verifyChain } from "./verify-chain.ts";

type Task = "verify" | "csv" | "lines";

/**
 * Verifies the chain and exports entries. Each task runs in parts, so that the page can show its progress and stop it.
 * @param shards the number of chains
 */
export const AuditTools = ({ filter, shards }: { filter: AuditFilter; shards: number }) => {
  const { task, progress, report, notice, start, stop } = useTasks();
  const verify = () => start("verify", (isStopped, show) => verifyChain(shards, { isStopped, show }));
  const save = (name: Task, read: typeof exportCsv, file: { name: string; type: string }) =>
    start(name, async (isStopped, show) => {
      const text = await read(filter, { isStopped, show });
      if (text !== null) saveFile(text, file);
      return null;
    });
  const csv = () => save("csv", exportCsv, { name: "audit.csv", type: "text/csv" });
  const lines = () => save("lines", exportLines, { name: "audit.jsonl", type: "application/x-ndjson" });
  return (
    <section aria-label="Verify and export">
      <div className={portal.acts}>
        <Button size="small" isBusy={task === "verify"} disabled={task !== null} onClick={verify}>
          Verify the chains
        </Button>
        <Button size="small" isBusy={task === "csv"} disabled={task !== null} onClick={csv}>
          Export CSV
        </Button>
        <Button size="small" isBusy={task === "lines"} disabled={task !== null} onClick={lines}>
          Export JSON lines with hash chains
        </Button>
        {task ? (
          <Button size="small" variant="quiet" onClick={stop}>
            Stop
          </Button>
        ) : null}
      </div>
      <p className="small muted">
        The export with hash chains ignores all filters except the dates. Without dates, it contains the whole log.
      </p>
      <p className="small muted" role="status">
        {progress}
      </p>
      {report ? <ReportNotice report={report} /> : null}
      {notice}
    </section>
  );
};

const useTasks = () => {
  const { notice, perform } = useAct();
  const [task, setTask] = useState<Task | null>(null);
  const [progress, setProgress] = useState("");
  const [report, setReport] = useState<ChainReport | null>(null);
  const isStopped = useRef(false);
  const start = (
    name: Task,
    work: (isStopped: () => boolean, show: (text: string) => void) => Promise<ChainReport | null>,
  ) =>
    perform(async () => {
      isStopped.current = false;
      setReport(null);
      setTask(name);
      setProgress("Starting");
      try {
        setReport(await work(() => isStopped.current, setProgress));
      } finally {
        setTask(null);
        setProgress(isStopped.current ? "Stopped." : "");
      }
    });
  return {
    task,
    progress,
    report,
    notice,
    start,
    stop: () => {
      isStopped.current = true;
    },
  };
};

const ReportNotice = ({ report: { entries, blocks, retired, problems } }: { report: ChainReport }) => (
  <Notice tone={problems.length > 0 ? "bad" : "good"} isLive>
    {problems.length > 0 ? "The log was changed. " : "The chains are unchanged. "}
    {entries.toLocaleString("en-GB")} entries in {blocks.toLocaleString("en-GB")} blocks were checked.
    {retired > 0 ? ` ${retired.toLocaleString("en-GB")} older entries were deleted after ten years.` : null}
    {problems.length > 0 ? (
      <ul>
        {problems.slice(0, 20).map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    ) : null}
  </Notice>
);
