import { type Sql, statement } from "../client.ts";

/** One row that violates an invariant: its id and a description of the problem. */
export type Violation = { subject: string; problem: string };

/**
 * A condition that holds at any instant on any database, even after any process was killed. The statement finds
 * violations.
 */
export type Invariant = { name: string; find(sql: Sql): Promise<Violation[]> };

/** Maximum number of reported violations. Even one is too many. */
const maxViolations = 100;

/** @param text selects `subject` and `problem` in one statement, so that it sees one instant of a live database. */
export const invariant = (key: string, name: string, text: string): Invariant => {
  const find = statement<Violation>(`invariant_${key}`, `${text} LIMIT ${maxViolations}`);
  return { name, find: (sql) => sql.query(find, []) };
};
