import { type Sql, statement } from "../client.ts";

export type Attention = {
  /** charges whose outcome an operator has to find out */
  chargesUnderReview: number;
  /** where a processor contradicts the books, and no operator has looked into it */
  contradictions: number;
  /** since `since` */
  mailGivenUp: number;
  /** waiting for longer than a tick takes */
  mailWaiting: number;
  /** incidents that probes opened and nobody confirmed or dismissed */
  incidentDrafts: number;
  /** jobs whose last run failed */
  failingJobs: string[];
};

const find = statement<Attention>(
  "find_attention",
  `SELECT (SELECT count(*)::int FROM charge WHERE state = 'unknown' AND next_lookup_at IS NULL) AS "chargesUnderReview",
     (SELECT count(*)::int FROM contradiction WHERE closed_at IS NULL) AS "contradictions",
     (SELECT count(*)::int FROM mail WHERE state = 'failed' AND created_at >= $1::timestamptz) AS "mailGivenUp",
     (SELECT count(*)::int FROM mail WHERE state = 'pending' AND attempts > 0) AS "mailWaiting",
     (SELECT count(*)::int FROM incident WHERE state = 'draft') AS "incidentDrafts",
     ARRAY(SELECT name FROM job_pulse WHERE failed_at > coalesce(ok_at, '-infinity') ORDER BY name) AS "failingJobs"`,
);

/** What an operator would want to know first. */
export const findAttention = async (sql: Sql, since: Date): Promise<Attention> => {
  const [row] = await sql.query(find, [since]);
  if (!row) throw new Error("a statement of one row gave none");
  return row;
};
