import { describe, expect, test } from "vitest";
import { connectDatabase, type Db, statement } from "./client.ts";
import { type Failure, startFailingServer } from "./failing-server.fixture.ts";
import { isUnavailable } from "./unavailable.ts";

const one = statement<never>("select_one", "SELECT 1");

/** Each interface to the database. */
const roads: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
  "a statement": (db) => db.sql.query(one, []),
  "a transaction of statements": (db) => db.sqlTransaction((sql) => sql.query(one, [])),
  Prisma: (db) => db.prisma.$executeRawUnsafe("SELECT 1"),
  "a Prisma transaction": (db) => db.transaction((tx) => tx.$executeRawUnsafe("SELECT 1")),
};

type Case = Omit<Failure, "at"> & { closes: boolean };

const cases: readonly Case[] = [
  { code: "57P01", severity: "FATAL", message: "terminating connection due to administrator command", closes: true },
  { code: "57P02", severity: "FATAL", message: "terminating connection because of crash", closes: true },
  { code: "57P03", severity: "FATAL", message: "the database system is shutting down", closes: true },
  { code: "57P05", severity: "FATAL", message: "terminating connection due to idle-session timeout", closes: true },
  { code: "08006", severity: "FATAL", message: "connection failure", closes: true },
  { code: "08P01", severity: "FATAL", message: "server conn crashed?", closes: true },
  { code: "08P01", severity: "FATAL", message: "query_wait_timeout", closes: true },
  { code: "08P01", severity: "FATAL", message: "no more connections allowed (max_client_conn)", closes: true },
  { code: "25006", severity: "ERROR", message: "cannot execute in a read-only transaction", closes: true },
  { code: "26000", severity: "ERROR", message: 'prepared statement "select_one" does not exist', closes: true },
  { code: "42P05", severity: "ERROR", message: 'prepared statement "select_one" already exists', closes: true },
  { code: "53300", severity: "FATAL", message: "sorry, too many clients already", closes: false },
  { code: "53100", severity: "ERROR", message: "could not extend file", closes: false },
  { code: "XX000", severity: "ERROR", message: 'could not extend file "base/1/2": Disk quota exceeded', closes: false },
  { code: "42501", severity: "ERROR", message: 'could not open file "base/1/2": Read-only file system', closes: false },
  { code: "XX000", severity: "FATAL", message: "could not write init file", closes: true },
  { code: "57014", severity: "ERROR", message: "canceling statement due to statement timeout", closes: false },
];

const outcomes = async (failure: Failure, names: readonly string[]): Promise<unknown[]> => {
  const server = await startFailingServer(failure);
  const found: unknown[] = [];
  for (const name of names) {
    const db = connectDatabase(server.url, 1);
    try {
      const isAway = await roads[name]?.(db).then(
        () => "succeeded",
        (error: unknown) => (isUnavailable(error) ? "unavailable" : error),
      );
      await new Promise(setImmediate);
      found.push([name, isAway, db.connections().idle]);
    } finally {
      await db.close();
    }
  }
  await server.close();
  return found;
};

describe("errors of PostgreSQL and PgBouncer (docs/spec/operations.md, Database errors)", () => {
  test.each(cases)(
    "$code $message: every interface reports the database as unavailable",
    async ({ closes, ...failure }) => {
      const names = Object.keys(roads);
      const found = await outcomes({ ...failure, at: /^SELECT/ }, names);
      expect(found.map((each) => (each as unknown[]).slice(0, 2))).toEqual(names.map((name) => [name, "unavailable"]));
      if (closes) expect(found.map((each) => (each as unknown[])[2])).toEqual(names.map(() => 0));
    },
  );

  test.each(cases.filter(({ severity, closes }) => closes && severity === "FATAL"))(
    "$code $message at COMMIT: the outcome is unknown, and the database counts as unavailable",
    async ({ closes: _closes, ...failure }) => {
      const names = ["a transaction of statements", "a Prisma transaction"];
      const found = await outcomes({ ...failure, at: /^COMMIT/ }, names);
      expect(found).toEqual(names.map((name) => [name, "unavailable", 0]));
    },
  );

  test("an internal error that doesn't end the connection isn't reported as unavailable", async () => {
    const failure = { code: "XX000", severity: "ERROR", message: "cache lookup failed", at: /^SELECT/ } as const;
    const found = await outcomes(failure, ["a statement", "Prisma"]);
    expect(found.map((each) => (each as unknown[])[1])).not.toContain("unavailable");
  });
});
