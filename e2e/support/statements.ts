import pg from "pg";
import type { Db, Sql, Statement } from "#server/data/client.ts";

/** Names of the statements that `work` sends outside transactions. */
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

/** Texts of all statements that this process sends during `work`, including those of Prisma, BEGIN and COMMIT. */
export const sentDuring = async (work: () => Promise<unknown>): Promise<string[]> => {
  const texts: string[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...sent: unknown[]) {
    const [first] = sent as [string | { text: string }];
    texts.push(typeof first === "string" ? first : first.text);
    return Reflect.apply(query, this, sent);
  } as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return texts;
};
