import { type Db, type Sql, statement } from "./client.ts";

const begin = statement<never>("begin_snapshot", "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");

/** All statements of the work read the database as it was when the first of them started. */
export const inSnapshot = <T>(db: Pick<Db, "sqlTransaction">, work: (sql: Sql) => Promise<T>): Promise<T> =>
  db.sqlTransaction(async (sql) => {
    await sql.query(begin, []);
    return work(sql);
  });
