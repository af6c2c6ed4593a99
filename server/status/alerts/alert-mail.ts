import { createHash } from "node:crypto";
import type { AlertRule } from "../rules/board.ts";
import { componentName, isComponentKey } from "../rules/components.ts";
import type { JournalRecord } from "../rules/journal/journal-record.ts";

/** Mail to operators about an alert. @param alert.burnRate null: the alert is over. */
export const alertMail = (
  alert: { component: string; rule: AlertRule; burnRate: number | null; at: Date },
  statusUrl: string,
) => {
  const { component, rule, burnRate, at } = alert;
  const name = isComponentKey(component) ? componentName(component) : component;
  return { kind: "status_alert", componentName: name, rule, burnRate, at, statusUrl } as const;
};

/** Replaces an operator's address in the journal, which holds no personal data. */
export const recipientDigest = (recipient: string): string =>
  createHash("sha256").update(recipient).digest("hex").slice(0, 16);

/** Identifies the mail to one operator about one alert record. @param digest by `recipientDigest`. */
export const alertMailKey = (recordId: string, digest: string): string => `${recordId} ${digest}`;

/** @returns keys of the mails that were sent without the database. */
export const mailedAlertKeys = (records: readonly JournalRecord[]): ReadonlySet<string> =>
  new Set(
    records.flatMap((record) =>
      record.kind === "alert_mailed" ? [alertMailKey(record.recordId, record.recipient)] : [],
    ),
  );
