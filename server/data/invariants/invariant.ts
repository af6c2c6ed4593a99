import { type Sql, statement } from "../client.ts";

/** One row that breaks a rule: an id, and in words what is wrong with it. */
export type Violation = { subject: string; problem: string };

/** What holds at any instant on any database, whatever was killed and when; each statement finds what breaks it. */
export type Invariant = { name: string; find(sql: Sql): Promise<Violation[]> };

/** More than anyone reads at once; one would be too many already. */
const most = 100;

/** @param text selects `subject` and `problem`, by one statement: on a live database it sees one instant. */
export const invariant = (key: string, name: string, text: string): Invariant => {
  const find = statement<Violation>(`invariant_${key}`, `${text} LIMIT ${most}`);
  return { name, find: (sql) => sql.query(find, []) };
};
