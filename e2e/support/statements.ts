import type { Db, Sql, Statement } from "#server/data/client.ts";

/** Names of the statements that `work` sends outside of transactions. */
export const statementsOf = async (db: Db, work: () => Promise<unknown>): Promise<string[]> => {
  const names: string[] = [];
  const sql = db.sql as { query: Sql["query"] };
  const { query } = sql;
  sql.query = (statement: Statement<never>, values) => {
    names.push(statement.name);
    return query.call(sql, statement, values) as Promise<never[]>;
  };
  try {
    await work();
  } finally {
    sql.query = query;
  }
  return names;
};
