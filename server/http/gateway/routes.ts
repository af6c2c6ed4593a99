import { readdir } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Handler } from "../serve.ts";

/** A Next route handler: its second argument has the values of `[name]` segments. */
type RouteHandler = ((
  request: Request,
  context: { params: Promise<Record<string, string | string[]>> },
) => Promise<Response>) &
  Pick<Handler, "answer">;

export type Route = {
  /** the path in the tree, without its groups: `/oauth/status-list/[list_id]` */
  pattern: string;
  segments: readonly string[];
  handlers: Readonly<Record<string, RouteHandler>>;
};

export type RouteMatch = { route: Route; params: Record<string, string | string[]> };

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/**
 * @param directory the app directory, or a part of it that answers below `prefix`.
 * @returns every `route.ts` below the directory, imported unchanged, with the path at which Next would mount it.
 */
export const discoverRoutes = async (directory: string, prefix = ""): Promise<Route[]> => {
  const files = await readdir(directory, { recursive: true });
  const routes = files
    .filter((file) => path.basename(file) === "route.ts")
    .map(async (file): Promise<Route> => {
      const segments = path
        .join(prefix, path.dirname(file))
        .split(path.sep)
        .filter((part) => part !== "." && part !== "" && !/^\(.*\)$/.test(part));
      const module: Record<string, unknown> = await import(pathToFileURL(path.join(directory, file)).href);
      const handlers = Object.fromEntries(
        methods.flatMap((method) =>
          typeof module[method] === "function" ? [[method, module[method] as RouteHandler]] : [],
        ),
      );
      return { pattern: `/${segments.join("/")}`, segments, handlers };
    });
  return (await Promise.all(routes)).sort((left, right) => compare(left.segments, right.segments));
};

const rank = (segment: string | undefined): number =>
  segment === undefined
    ? 0
    : segment.startsWith("[...") || segment.startsWith("[[...")
      ? 3
      : segment.startsWith("[")
        ? 2
        : 1;

/** Next's order: fixed segments first, then named segments, then catch-alls. */
const compare = (left: readonly string[], right: readonly string[]): number => {
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = rank(left[index]) - rank(right[index]);
    if (difference !== 0) return difference;
  }
  return 0;
};

/** @returns null if no route file answers the path. */
export const matchRoute = (routes: readonly Route[], pathname: string): RouteMatch | null => {
  const parts = pathname.split("/").slice(1);
  for (const route of routes) {
    const params = matchSegments(route.segments, parts);
    if (params) return { route, params };
  }
  return null;
};

const matchSegments = (segments: readonly string[], parts: readonly string[]): RouteMatch["params"] | null => {
  const params: RouteMatch["params"] = {};
  for (const [index, segment] of segments.entries()) {
    const rest = /^\[\[?\.\.\.(.+?)\]\]?$/.exec(segment);
    if (rest?.[1] !== undefined) {
      const values = parts.slice(index).map(decode);
      if (values.includes(null) || (values.length === 0 && !segment.startsWith("[["))) return null;
      return { ...params, [rest[1]]: values.filter((value) => value !== null) };
    }
    const part = parts[index];
    if (part === undefined) return null;
    const name = /^\[(.+)\]$/.exec(segment)?.[1];
    if (name === undefined) {
      if (segment !== part) return null;
      continue;
    }
    const value = decode(part);
    if (value === null || value === "") return null;
    params[name] = value;
  }
  return segments.length === parts.length ? params : null;
};

const decode = (part: string): string | null => {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
};
