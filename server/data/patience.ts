/** What a process does decides how long one of its statements may take. */
export type DatabaseRole = "web" | "worker" | "status" | "command";

/** In milliseconds. */
export type Patience = {
  /** until there is a connection */
  connection: number;
  /**
   * until PostgreSQL cancels a statement. A connection that stays silent for two seconds longer is given up, and a
   * transaction that is idle for twice as long is ended by PostgreSQL. Null: as long as it takes.
   */
  statement: number | null;
  /** false: PostgreSQL's role brings its own settings, since a pooler refuses them at the start of a connection */
  sendsSettings: boolean;
};

/** Seconds. A caller of the web role waits for the answer; a command may have to read all of a large table. */
const defaults: Readonly<Record<DatabaseRole, number>> = { web: 10, worker: 30, status: 8, command: 900 };

export type StatementTimeouts = Readonly<Record<DatabaseRole, number>>;

const entry = /^(?<role>web|worker|status|command)=(?<seconds>[1-9]\d{0,4})$/;

/**
 * @param text `role=seconds`, separated by commas. @returns milliseconds by role: the defaults with what the text changes.
 * @throws Error naming the entry that is malformed.
 */
export const parseStatementTimeouts = (text: string): StatementTimeouts => {
  const seconds = { ...defaults };
  for (const part of text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean)) {
    const groups = entry.exec(part)?.groups;
    if (!groups) throw new Error(`${JSON.stringify(part)} isn't web, worker, status or command=seconds`);
    seconds[groups["role"] as DatabaseRole] = Number(groups["seconds"]);
  }
  return {
    web: seconds.web * 1_000,
    worker: seconds.worker * 1_000,
    status: seconds.status * 1_000,
    command: seconds.command * 1_000,
  };
};

export const defaultPatience: Patience = {
  connection: 5_000,
  statement: defaults.command * 1_000,
  sendsSettings: true,
};

/** How patient a process of this role is. */
export const patienceOf = (
  { statementTimeouts, sendsSessionSettings }: { statementTimeouts: StatementTimeouts; sendsSessionSettings: boolean },
  role: DatabaseRole,
): Patience => ({ ...defaultPatience, statement: statementTimeouts[role], sendsSettings: sendsSessionSettings });
