import path from "node:path";
import { formatHouse, measureHouse } from "./checks/house/house-figures.ts";

const figures = measureHouse(path.resolve(import.meta.dirname, "../.."));
process.stdout.write(`${formatHouse(figures)}\n`);
process.exit(figures.every(({ offenders }) => offenders.length === 0) ? 0 : 1);
