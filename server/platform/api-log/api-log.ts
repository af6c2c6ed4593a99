import { setImmediate as nextTurn } from "node:timers/promises";
import { type ApiLogRow, insertApiLogs } from "../../data/merchants/api-logs.ts";
import { recordKeyUses } from "../../data/merchants/own-clients.ts";
import type { Deps } from "../../deps/deps.ts";
import { decodeJws } from "../../kernel/crypto/jws.ts";
import { redactForm, redactJson } from "./rules/redact.ts";

/** An answered request of a merchant client, with its secrets. It is kept only in this process's memory. */
export type Exchange = Pick<
  ApiLogRow,
  "merchantId" | "at" | "requestId" | "clientId" | "method" | "path" | "status"
> & {
  milliseconds: number;
  /** without the question mark */
  query: string;
  content: "form" | "json" | null;
  requestBody: string;
  responseBody: string;
  /** the client signed the request itself, and its assertion was accepted */
  usedKey: boolean;
};

export type ApiLogFigures = { written: number; dropped: number; waiting: number };

const intervalMilliseconds = 250;
const rowsPerStatement = 200;
/** The number of exchanges that are redacted in a row. After them, other work of the process can run. */
const rowsPerTurn = 20;

type Limits = { exchanges: number; characters: number };
const usualLimits: Limits = { exchanges: 2_000, characters: 16_000_000 };

/**
 * The API log of one process (docs/spec/portal.md, API logs). `offer` takes about a microsecond: redaction and inserts
 * happen later, one statement at a time. If the queue is full or the database is slow, exchanges are dropped and
 * counted. No request waits for the log.
 */
export class ApiLog {
  readonly #deps: Pick<Deps, "db" | "log">;
  readonly #limits: Limits;
  #queue: Exchange[] = [];
  #characters = 0;
  #written = 0;
  #dropped = 0;
  #running: Promise<void> = Promise.resolve();
  #isRunning = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(deps: Pick<Deps, "db" | "log">, limits: Limits = usualLimits) {
    this.#deps = deps;
    this.#limits = limits;
  }

  offer(exchange: Exchange): void {
    const { exchanges, characters } = this.#limits;
    if (this.#queue.length >= exchanges || this.#characters >= characters) {
      this.#dropped += 1;
      return;
    }
    this.#queue.push(exchange);
    this.#characters += sizeOf(exchange);
  }

  figures(): ApiLogFigures {
    return { written: this.#written, dropped: this.#dropped, waiting: this.#queue.length };
  }

  start(): void {
    this.#timer = setInterval(() => void this.flush(), intervalMilliseconds).unref();
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.flush();
  }

  /** Writes the waiting exchanges. Never rejects. */
  flush(): Promise<void> {
    if (this.#isRunning || this.#queue.length === 0) return this.#running;
    this.#isRunning = true;
    this.#running = this.#writeAll().finally(() => {
      this.#isRunning = false;
    });
    return this.#running;
  }

  async #writeAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.slice(0, rowsPerStatement);
      this.#queue = this.#queue.slice(rowsPerStatement);
      for (const exchange of batch) this.#characters -= sizeOf(exchange);
      try {
        await this.#write(batch);
        this.#written += batch.length;
      } catch (error) {
        this.#dropped += batch.length;
        this.#deps.log.debug({ err: error, requests: batch.length }, "API requests not logged");
      }
    }
  }

  async #write(batch: readonly Exchange[]): Promise<void> {
    const rows: ApiLogRow[] = [];
    for (const [index, exchange] of batch.entries()) {
      if (index > 0 && index % rowsPerTurn === 0) await nextTurn();
      rows.push(toRow(exchange));
    }
    await insertApiLogs(this.#deps.db.sql, rows);
    const uses = batch.flatMap((exchange) => keyUseOf(exchange) ?? []);
    if (uses.length > 0) await recordKeyUses(this.#deps.db.sql, uses);
  }
}

const sizeOf = ({ requestBody, responseBody }: Exchange): number => requestBody.length + responseBody.length;

const toRow = ({ content, query, requestBody, responseBody, milliseconds, ...exchange }: Exchange): ApiLogRow => ({
  merchantId: exchange.merchantId,
  at: exchange.at,
  requestId: exchange.requestId,
  clientId: exchange.clientId,
  method: exchange.method,
  path: exchange.path,
  status: exchange.status,
  milliseconds: Math.round(milliseconds),
  query: query === "" ? null : redactForm(query),
  requestBody: content === null || requestBody === "" ? null : bodyOf(content, requestBody),
  // A body that isn't JSON, such as a signed response, isn't stored. A note replaces it.
  responseBody: responseBody === "" ? null : redactJson(responseBody),
});

const bodyOf = (content: "form" | "json", body: string): string =>
  content === "form" ? redactForm(body) : redactJson(body);

const keyUseOf = ({ usedKey, clientId, at, requestBody }: Exchange) => {
  if (!usedKey) return null;
  const { kid } = decodeJws(new URLSearchParams(requestBody).get("client_assertion") ?? "")?.header ?? {};
  return { clientId, at, kid: typeof kid === "string" ? kid : "" };
};
