import { waitUntil } from "../wait-until.ts";
import { send } from "./wire.ts";

type Component = { id: string; state: string; affected_by: string[] };
type Incident = { id: string; title: string; state: string; components: { id: string }[] };
type Summary = { components: Component[]; incidents: Incident[] };
type Days = { components: { id: string; days: { day: string }[] }[] };
type Sums = { down_ms: number; unmeasured_ms: number };

/** Reads the public content of a status page. */
export const statusPageAt = (statusUrl: string) => {
  const read = async <T>(route: string): Promise<T> => JSON.parse((await send(`${statusUrl}${route}`)).text);
  const ofComponent = async <T extends { id: string }>(route: string, id: string): Promise<T> => {
    const { components } = await read<{ components: T[] }>(route);
    const found = components.find((component) => component.id === id);
    if (!found) throw new Error(`${route} has no ${id}`);
    return found;
  };
  const find = (id: string) => ofComponent<Component>("/status/v1/summary", id);
  const until = (id: string, state: string, seconds: number): Promise<void> =>
    waitUntil(async () => (await find(id).catch(() => null))?.state === state, seconds);
  return {
    find,
    until,
    /** the HTML of its front page */
    html: async () => (await send(`${statusUrl}/`, { headers: { accept: "text/html" } })).text,
    feed: async (format: "rss" | "atom") => (await send(`${statusUrl}/status/feed.${format}`)).text,
    incidents: async () => (await read<Summary>("/status/v1/summary")).incidents,
    days: async () => (await read<Days>("/status/v1/components")).components.map(({ id, days }) => [id, days.length]),
    sums: async (id: string) =>
      (await ofComponent<{ id: string; last_90_days: Sums }>("/status/v1/uptime", id)).last_90_days,
    budgetUsed: async (id: string) =>
      (await ofComponent<{ id: string; used_ms: number }>("/status/v1/error-budgets", id)).used_ms,
    async waitUntilOperational(seconds: number) {
      for (const id of ["authorization_server", "wallet_portal", "sandbox"]) await until(id, "operational", seconds);
    },
  };
};
