import { type Sql, statement } from "../client.ts";

/** Lags in seconds; null if nothing is waiting or a job never ran. */
export type StatusLags = {
  oldestEvent: number | null;
  /** since the last run of the most overdue job: event dispatch, webhooks or reconciliation */
  sinceEventsJob: number | null;
  /** the oldest e-mail that no worker has claimed, or that failed while the mail server accepted no newer e-mail */
  oldestMail: number | null;
  sinceMailJob: number | null;
};

const find = statement<StatusLags>(
  "find_status_lags",
  `SELECT extract(epoch FROM $1::timestamptz - (SELECT min(created_at) FROM event WHERE dispatched_at IS NULL))::float8 AS "oldestEvent",
          extract(epoch FROM $1::timestamptz - (SELECT min(ok_at) FROM job_pulse
            WHERE name IN ('dispatch-events', 'send-webhooks', 'reconcile-charges')))::float8 AS "sinceEventsJob",
          extract(epoch FROM $1::timestamptz - least(
            (SELECT min(next_attempt_at) FROM mail WHERE state = 'pending'),
            (SELECT min(m.created_at) FROM mail m
              WHERE m.state = 'pending' AND m.problem !~ '^(EENVELOPE|EMESSAGE)' AND m.created_at > coalesce((
                SELECT max(s.created_at) FROM mail s WHERE s.state = 'sent' AND s.created_at >= (
                  SELECT min(created_at) FROM mail WHERE state = 'pending' AND problem !~ '^(EENVELOPE|EMESSAGE)'
                )), '-infinity'))
          ))::float8 AS "oldestMail",
          extract(epoch FROM $1::timestamptz - (SELECT ok_at FROM job_pulse WHERE name = 'send-mail'))::float8 AS "sinceMailJob"`,
);

/** How long due events and e-mails have been waiting. */
export const findStatusLags = async (sql: Sql, now: Date): Promise<StatusLags> => {
  const [row] = await sql.query(find, [now]);
  if (!row) throw new Error("find_status_lags returned no row");
  return row;
};
