import path from "node:path";
import { formatFigures, measureCode } from "./checks/limits/code-figures.ts";
import { formatRoutes, measureRoutes } from "./supervisor/route-scripts.ts";

const root = path.resolve(import.meta.dirname, "../..");
const figures = measureCode(root);
process.stdout.write(`${formatFigures(figures)}\n`);
// Without a build, there are no routes to measure. The build itself refuses a route above the budget.
const routes = await measureRoutes(root).catch(() => null);
if (routes) process.stdout.write(`\n${formatRoutes(routes)}\n`);
process.exit(figures.every(({ offenders }) => offenders.length === 0) ? 0 : 1);
