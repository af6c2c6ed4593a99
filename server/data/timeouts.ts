/** The role of a process determines the time limit of its statements. */
export type DatabaseRole = "web" | "worker" | "status" | "command";

/** Time limits in milliseconds. */
export type DatabaseTimeouts = {
  /** time until a connection is available */
  connection: number;
  /**
   * time until PostgreSQL cancels a statement. A connection that stays silent for two more seconds is closed, and
   * PostgreSQL ends a transaction that is idle for twice this time. Null: no limit.
   */
  statement: number | null;
  /** false: the settings come from the PostgreSQL role, because a pooler refuses them at the start of a connection */
  sendsSettings: boolean;
  /** false: statements are sent without a name, because a pooler may run each transaction on another connection */
  namesStatements: boolean;
};

/**
 * Time limits in seconds. Callers of the web role wait for the answer; a command may have to read a whole large table.
 */
const defaults: Readonly<Record<DatabaseRole, number>> = { web: 10, worker: 30, status: 8, command: 900 };

export type StatementTimeouts = Readonly<Record<DatabaseRole, number>>;

const entry = /^(?<role>web|worker|status|command)=(?<seconds>[1-9]\d{0,4})$/;

/**
 * @param text `role=seconds`, separated by commas.
 * @returns milliseconds by role: the defaults with the changes in the text.
 * @throws Error naming the entry that is malformed.
 */
export const parseStatementTimeouts = (text: string): StatementTimeouts => {
  const seconds = { ...defaults };
  for (const part of text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean)) {
    const groups = entry.exec(part)?.groups;
    if (!groups)
      throw new Error(
        `${JSON.stringify(part)} isn't valid: use web=SECONDS, worker=SECONDS, status=SECONDS or command=SECONDS`,
      );
    seconds[groups["role"] as DatabaseRole] = Number(groups["seconds"]);
  }
  return {
    web: seconds.web * 1_000,
    worker: seconds.worker * 1_000,
    status: seconds.status * 1_000,
    command: seconds.command * 1_000,
  };
};

/** A command can wait longer than a page: a busy server accepts a connection only after some seconds. */
const commandConnection = 30_000;

export const defaultTimeouts: DatabaseTimeouts = {
  connection: 5_000,
  statement: defaults.command * 1_000,
  sendsSettings: true,
  namesStatements: true,
};

type Settings = {
  statementTimeouts: StatementTimeouts;
  sendsSessionSettings: boolean;
  namesStatements: boolean;
};

/** The time limits of a process with this role. */
export const databaseTimeouts = (
  { statementTimeouts, sendsSessionSettings, namesStatements }: Settings,
  role: DatabaseRole,
): DatabaseTimeouts => ({
  ...defaultTimeouts,
  connection: role === "command" ? commandConnection : defaultTimeouts.connection,
  statement: statementTimeouts[role],
  sendsSettings: sendsSessionSettings,
  namesStatements,
});

/** For a direct connection. The pooler's restrictions apply to it only if both URLs are the same. */
export const directTimeouts = (
  { databaseUrl, databaseDirectUrl, ...settings }: Settings & { databaseUrl: string; databaseDirectUrl: string },
  role: DatabaseRole,
): DatabaseTimeouts => {
  const isPooled = databaseDirectUrl === databaseUrl;
  return databaseTimeouts(
    {
      ...settings,
      sendsSessionSettings: settings.sendsSessionSettings || !isPooled,
      namesStatements: settings.namesStatements || !isPooled,
    },
    role,
  );
};
