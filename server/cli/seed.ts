import { isFilled } from "../data/schema/is-filled.ts";
import { readVariables, toConfig } from "../platform/config.ts";

/**
 * Demo data (docs/spec/operations.md, Demo data). Never loaded into a database that has any data.
 * @returns the result, in words.
 */
const seed = async (): Promise<string> => {
  const variables = readVariables(process.env);
  if (!variables.SEED_DEMO) return "none";
  if (await isFilled(toConfig(variables).databaseUrl)) return "not empty";
  // Only the first start loads the demo data.
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
