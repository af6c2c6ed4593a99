import { randomUUID } from "node:crypto";

/** New usage events of one meter. An event that was already recorded would be a duplicate. */
export const usageEvents = (count: number): object[] => {
  const batch = randomUUID();
  const time = new Date(Date.now() - 60_000).toISOString();
  return Array.from({ length: count }, (_, index) => ({
    id: `req_${batch}_${index}`,
    source: "search-api",
    meter: "searches",
    time,
    subject: `customer-${index % 50}`,
    quantity: 1 + (index % 9),
  }));
};
