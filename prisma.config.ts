import { defineConfig } from "prisma/config";

// No command here needs the schema engine (server/data/schema/schema-engine.ts applies migrations). If this
// variable names an executable file, Prisma doesn't download the engine.
process.env["PRISMA_SCHEMA_ENGINE_BINARY"] ??= process.execPath;

export default defineConfig({ schema: "prisma/schema", migrations: { path: "prisma/migrations" } });
