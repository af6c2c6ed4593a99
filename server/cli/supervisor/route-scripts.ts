import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { StartError } from "./steps.ts";

/** The JavaScript that a browser with Brotli receives at its first visit, in bytes (docs/spec/portal.md, Pages). */
const budgetBytes = 170_000;

type Chunk = { file: string; bytes: number };
export type RouteScripts = { route: string; bytes: number; chunks: readonly Chunk[] };

type BuildRoute = { route: string; firstLoadChunkPaths: readonly string[] };

/** The scripts of each route of the build, the largest route first. */
export const measureRoutes = async (root: string): Promise<RouteScripts[]> => {
  const statistics = path.join(root, ".next/diagnostics/route-bundle-stats.json");
  const routes = JSON.parse(await readFile(statistics, "utf8")) as BuildRoute[];
  const sizes = new Map<string, Promise<number>>();
  const sizeOf = (file: string): Promise<number> => {
    const known = sizes.get(file) ?? compressedSize(root, file);
    sizes.set(file, known);
    return known;
  };
  const measured = routes.map(async ({ route, firstLoadChunkPaths }) => {
    const chunks = await Promise.all(firstLoadChunkPaths.map(async (file) => ({ file, bytes: await sizeOf(file) })));
    chunks.sort((left, right) => right.bytes - left.bytes);
    return { route, bytes: chunks.reduce((sum, { bytes }) => sum + bytes, 0), chunks };
  });
  return (await Promise.all(measured)).sort((left, right) => right.bytes - left.bytes);
};

const compressedSize = async (root: string, file: string): Promise<number> =>
  (await stat(path.join(root, ".next/compressed", `${file.replace(/^\.next\//, "")}.br`))).size;

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

/** @throws StartError with each route above the budget, and its largest scripts. */
export const assertRouteBudget = (routes: readonly RouteScripts[]): void => {
  const above = routes.filter(({ bytes }) => bytes > budgetBytes);
  if (above.length === 0) return;
  const lines = above.map(({ route, bytes, chunks }) => {
    const largest = chunks.slice(0, 4).map((chunk) => `${path.basename(chunk.file)} ${kilobytes(chunk.bytes)}`);
    return `${route} has ${kilobytes(bytes)} of JavaScript. Its largest files: ${largest.join(", ")}`;
  });
  throw new StartError(
    `A route may have at most ${kilobytes(budgetBytes)} of compressed JavaScript.\n${lines.join("\n")}`,
  );
};

/** A short table for the terminal: the largest routes and the smallest route. */
export const formatRoutes = (routes: readonly RouteScripts[]): string => {
  const shown = [...routes.slice(0, 5), ...routes.slice(5).slice(-1)];
  const lines = shown.map(({ route, bytes }) => `${kilobytes(bytes).padStart(9)}  ${route}`);
  return `JavaScript of ${routes.length} routes, at most ${kilobytes(budgetBytes)}:\n${lines.join("\n")}`;
};
