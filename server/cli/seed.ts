import { isFilled } from "../data/schema/is-filled.ts";
import { readVariables, toConfig } from "../platform/config.ts";

/**
 * Demo data (docs/spec/operations.md, Demo data). Never into a database that holds anything. @returns what became of
 * it.
 */
const seed = async (): Promise<string> => {
  const variables = readVariables(process.env);
  if (!variables.SEED_DEMO) return "none";
  if (await isFilled(toConfig(variables).databaseUrl)) return "not empty";
  // Loaded by the first start alone.
  const [{ withDeps }, { fillDemo }] = await Promise.all([
    import("./service/with-deps.ts"),
    import("../../prisma/seed/seed-demo.ts"),
  ]);
  await withDeps(async (deps) => {
    await fillDemo(deps);
    return null;
  });
  return "seeded";
};

process.stdout.write(`${await seed()}\n`);
