import { createHash } from "node:crypto";
import type { AlertRule } from "../rules/board.ts";
import { componentName, isComponentKey } from "../rules/components.ts";
import type { JournalRecord } from "../rules/journal/journal-record.ts";

/** What operators are told of an alert. @param alert.burnRate null: it is over. */
export const alertMail = (
  alert: { component: string; rule: AlertRule; burnRate: number | null; at: Date },
  statusUrl: string,
) => {
  const { component, rule, burnRate, at } = alert;
  const name = isComponentKey(component) ? componentName(component) : component;
  return { kind: "status_alert", componentName: name, rule, burnRate, at, statusUrl } as const;
};

/** Stands for an operator's address in the journal, which names nobody. */
export const recipientDigest = (recipient: string): string =>
  createHash("sha256").update(recipient).digest("hex").slice(0, 16);

/** Names one operator's mail about one record of an alert. @param mark of `markOf`. */
export const alertMailKey = (recordId: string, mark: string): string => `${recordId} ${mark}`;

/** @returns of records of the journal the names of the mails that went out without the database. */
export const mailedAlertKeys = (records: readonly JournalRecord[]): ReadonlySet<string> =>
  new Set(
    records.flatMap((record) =>
      record.kind === "alert_mailed" ? [alertMailKey(record.recordId, record.recipient)] : [],
    ),
  );
