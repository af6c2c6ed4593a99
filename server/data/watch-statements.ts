import { AsyncResource } from "node:async_hooks";
import pg from "pg";

/**
 * `kind`: SELECT, INSERT, BEGIN and so on; `name`: the name of a named statement. Text and values are not passed on.
 */
export type StatementSent = { kind: string; name: string | null };
type End = (failed: boolean) => void;

const kindOf = (text: unknown): string =>
  typeof text === "string" ? (/^\s*([A-Za-z]+)/.exec(text)?.[1] ?? "SQL").toUpperCase() : "SQL";

const readSent = (first: unknown): StatementSent => {
  const config = typeof first === "object" && first !== null ? (first as { text?: unknown; name?: unknown }) : null;
  return { kind: kindOf(config ? config.text : first), name: typeof config?.name === "string" ? config.name : null };
};

/**
 * Calls `begin` for each statement that this process sends from now on. When the statement is answered, calls the
 * function that `begin` returned.
 * @returns a function that stops watching.
 */
export const watchStatements = (begin: (sent: StatementSent) => End | null): (() => void) => {
  const { query } = pg.Client.prototype;
  const { connect } = pg.Pool.prototype;
  pg.Client.prototype.query = function watched(this: pg.Client, ...args: unknown[]): unknown {
    const end = begin(readSent(args[0]));
    if (end === null) return Reflect.apply(query, this, args);
    const callback = args.at(-1);
    if (typeof callback === "function") {
      const onAnswer = (error: unknown, ...rest: unknown[]) => {
        end(Boolean(error));
        callback(error, ...rest);
      };
      return Reflect.apply(query, this, [...args.slice(0, -1), onAnswer]);
    }
    const result: unknown = Reflect.apply(query, this, args);
    if (result instanceof Promise) {
      result.then(
        () => end(false),
        () => end(true),
      );
    } else end(false);
    return result;
  } as typeof query;
  // When a connection is released, pg resumes a waiting caller in the async context of the caller that released it.
  // This restores the waiting caller's own context.
  pg.Pool.prototype.connect = function bound(this: pg.Pool, ...args: unknown[]): unknown {
    const [callback] = args;
    const own = typeof callback === "function" ? [AsyncResource.bind(callback as (...of: unknown[]) => void)] : args;
    return Reflect.apply(connect, this, own);
  } as typeof connect;
  return () => {
    pg.Client.prototype.query = query;
    pg.Pool.prototype.connect = connect;
  };
};
