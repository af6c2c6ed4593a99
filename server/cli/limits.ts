import path from "node:path";
import { formatFigures, measureCode } from "./checks/limits/code-figures.ts";

const figures = measureCode(path.resolve(import.meta.dirname, "../.."));
process.stdout.write(`${formatFigures(figures)}\n`);
process.exit(figures.every(({ offenders }) => offenders.length === 0) ? 0 : 1);
