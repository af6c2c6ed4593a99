import { step } from "#server/cli/supervisor/steps.ts";
import { postJson } from "../../support/answers/wire.ts";
import { clientToken, registerMerchant } from "../../support/oauth/parties.ts";
import { usageEvents } from "../usage-events.ts";
import { type Figure, secondsSince } from "./figure.ts";

const batches = 150;
const batchSize = 1_000;
const senders = 2;
const targetPerSecond = 5_000;

/** Sends batches of usage events over HTTP. Every event must be accepted. */
export const measureIngest = (baseUrl: string): Promise<Figure[]> =>
  step(`${(batches * batchSize).toLocaleString("en-GB")} usage events over HTTP`, async () => {
    const merchant = await registerMerchant(baseUrl, { metadata: { scope: "billing.write" } });
    const token = await clientToken(merchant, { scope: "billing.write" });
    let sent = 0;
    let accepted = 0;
    const send = async () => {
      while (sent < batches) {
        sent += 1;
        const body = { events: usageEvents(batchSize) };
        const { json } = await postJson(`${baseUrl}/billing/usage-events`, body, { authorization: `Bearer ${token}` });
        accepted += Number(json?.["accepted"] ?? 0);
      }
    };
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: senders }, send));
    const perSecond = Math.round((batches * batchSize) / secondsSince(startedAt));
    return [
      {
        title: `usage events in batches of ${batchSize} over HTTP (at least ${targetPerSecond}/s)`,
        result: `${perSecond}/s`,
        isReached: accepted === batches * batchSize && perSecond >= targetPerSecond,
      },
    ];
  });
