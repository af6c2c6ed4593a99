import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import type { SchemaEngine, SchemaFilter } from "@prisma/schema-engine-wasm";
import pg from "pg";
import { connectionOptions } from "../connect.ts";

let loaded: Promise<typeof SchemaEngine> | undefined;

/**
 * Tables that only SQL defines, for example most partitioned tables, the audit chain, and subscriptions, invoices and
 * ledger with their triggers and exclusion constraints. Tables that have a model are still read through the model.
 */
const sqlTables = [
  "assertion_jti",
  "dpop_jti",
  "pushed_request",
  "authorization_code",
  "refresh_token",
  "token_denial",
  "event",
  "charge",
  "refund",
  "dispute",
  "idempotency_key",
  "audit_entry",
  "audit_block",
  "audit_chain",
  "usage_event",
  "usage_event_key",
  "usage_hour",
  "verification",
  "verification_minute",
  "verification_log",
  "meter_event",
  "meter_minute",
  "meter_reconciliation",
  "charge_amount_day",
  "charge_mandate_day",
  "meter_reconciliation_day",
  "api_log",
  "merchant_mandate",
  "billing_number",
  "billing_tax_details",
  "billing_vat_check",
  "billing_invoice",
  "billing_invoice_line",
  "billing_credit_grant",
  "billing_credit_use",
  "billing_ledger_transaction",
  "billing_ledger_entry",
  "billing_ledger_balance",
  "billing_subscription",
  "billing_period",
  "billing_pending_change",
  "billing_applied_coupon",
  "billing_payment_method",
  "billing_payment",
  "billing_card_setup",
  "billing_collection",
  "billing_budget_alert",
  "billing_budget_firing",
  "billing_budget_check",
  "billing_usage_cut_off",
  "billing_revenue",
  "billing_sla_figure",
  "billing_sla_credit",
  "billing_further_sla_credit",
];
const filters: SchemaFilter = { externalTables: sqlTables.map((table) => `public.${table}`), externalEnums: [] };

const prismaDirectory = path.resolve(import.meta.dirname, "../../../prisma");
const migrationsDirectory = path.join(prismaDirectory, "migrations");

/** Prisma's schema engine as WebAssembly, loaded from its package: the native engine would have to be downloaded. */
const loadSchemaEngine = async (): Promise<typeof SchemaEngine> => {
  const bindings = (await import("@prisma/schema-engine-wasm/schema_engine_bg")) as unknown as {
    SchemaEngine: typeof SchemaEngine;
    __wbg_set_wasm(exports: WebAssembly.Exports): void;
  };
  const bindingsPath = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const bytes = await readFile(path.join(path.dirname(bindingsPath), "schema_engine_bg.wasm"));
  const { instance } = await WebAssembly.instantiate(bytes, {
    "./schema_engine_bg.js": bindings as unknown as WebAssembly.ModuleImports,
  });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports["__wbindgen_start"] as () => void)();
  return bindings.SchemaEngine;
};

/**
 * The adapter has no column type for PostgreSQL's catalog type "char" (oid 18), which the engine must read as a
 * character. So it passes through the adapter as a uuid (oid 2950), which no catalog contains, and gets the right type
 * afterwards.
 */
class CatalogPool extends pg.Pool {
  override query = (async (...args: unknown[]) => {
    const result = (await Reflect.apply(pg.Pool.prototype.query, this, args)) as pg.QueryResult;
    for (const field of result.fields ?? []) if (field.dataTypeID === 18) field.dataTypeID = 2950;
    return result;
  }) as pg.Pool["query"];
}

/**
 * The adapter splits scripts at every semicolon. A migration that is sent as a whole may contain functions, and runs in
 * one transaction.
 */
class MigrationAdapterFactory extends PrismaPg {
  readonly #pool: pg.Pool;
  constructor(pool: pg.Pool) {
    super(pool);
    this.#pool = pool;
  }
  override async connect() {
    const adapter = await super.connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (query) => {
      const result = await queryRaw(query);
      const columnTypes = result.columnTypes.map((type) =>
        type === ColumnTypeEnum.Uuid ? ColumnTypeEnum.Character : type,
      );
      return { ...result, columnTypes };
    };
    adapter.executeScript = async (script: string) => {
      await this.#pool.query(script);
    };
    return adapter;
  }
}

const withEngine = async <T>(databaseUrl: string, use: (engine: SchemaEngine) => Promise<T>): Promise<T> => {
  loaded ??= loadSchemaEngine();
  const Engine = await loaded;
  // Statements have no timeout, because the duration of a migration depends on the size of the tables.
  const pool = new CatalogPool({
    ...connectionOptions(databaseUrl, { statement: null, sendsSettings: false }),
    max: 2,
    // The limits of the role don't apply either (docs/runbooks/several-web-nodes.md).
    onConnect: (client) => client.query("SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0"),
  });
  const adapter = bindMigrationAwareSqlAdapterFactory(new MigrationAdapterFactory(pool));
  const engine = await Engine.new({ datamodels: await schemaFiles() }, () => {}, adapter);
  try {
    return await use(engine);
  } finally {
    engine.free();
    await pool.end();
  }
};

const schemaFiles = async (): Promise<[string, string][]> => {
  const directory = path.join(prismaDirectory, "schema");
  const names = (await readdir(directory)).filter((name) => name.endsWith(".prisma")).sort();
  return Promise.all(
    names.map(async (name): Promise<[string, string]> => {
      const file = path.join(directory, name);
      return [file, await readFile(file, "utf8")];
    }),
  );
};

const migrationsList = async (upTo: readonly string[] | null) => {
  const entries = await readdir(migrationsDirectory, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .filter((name) => upTo === null || upTo.includes(name))
    .sort();
  return {
    baseDir: migrationsDirectory,
    lockfile: {
      path: "migration_lock.toml",
      content: await readFile(path.join(migrationsDirectory, "migration_lock.toml"), "utf8"),
    },
    shadowDbInitScript: "",
    migrationDirectories: await Promise.all(
      names.map(async (name) => ({
        path: name,
        migrationFile: {
          path: "migration.sql",
          content: {
            tag: "ok" as const,
            value: await readFile(path.join(migrationsDirectory, name, "migration.sql"), "utf8"),
          },
        },
      })),
    ),
  };
};

/**
 * Applies missing migrations in order, and records them as `prisma migrate deploy` does.
 * @param only applies only these migrations, to match the schema of a backup.
 * @returns the names of the applied migrations.
 */
export const applyMigrations = (databaseUrl: string, only: readonly string[] | null = null): Promise<string[]> =>
  withEngine(databaseUrl, async (engine) => {
    const result = await engine.applyMigrations({ migrationsList: await migrationsList(only), filters });
    return result.appliedMigrationNames;
  });

/** @returns the SQL that changes this database to match prisma/schema; empty if they match. */
export const diffToSchema = (databaseUrl: string): Promise<string> =>
  withEngine(databaseUrl, async (engine) => {
    const files = (await schemaFiles()).map(([file, content]) => ({ path: file, content }));
    const result = await engine.diff({
      // The data source is the adapter, that is, `databaseUrl`.
      from: { tag: "schemaDatasource", files, configDir: prismaDirectory },
      to: { tag: "schemaDatamodel", files },
      script: true,
      exitCode: null,
      filters,
    });
    return result.stdout ?? "";
  });

/** @returns the SQL that creates all tables of prisma/schema, including those of `sqlTables`, as Prisma would. */
export const createTablesScript = (databaseUrl: string): Promise<string> =>
  withEngine(databaseUrl, async (engine) => {
    const files = (await schemaFiles()).map(([file, content]) => ({ path: file, content }));
    const result = await engine.diff({
      from: { tag: "empty" },
      to: { tag: "schemaDatamodel", files },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    return result.stdout ?? "";
  });
