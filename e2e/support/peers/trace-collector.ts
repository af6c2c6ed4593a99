import http from "node:http";
import type { AddressInfo } from "node:net";

type Attribute = { key: string; value: Record<string, string | number | boolean> };
type OtlpSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Attribute[];
};
type Export = { resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: OtlpSpan[] }[] }[] };

export type ReceivedSpan = Omit<OtlpSpan, "attributes"> & { attributes: Record<string, string | number | boolean> };

const toRecord = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] ?? ""]));

/** A collector that receives traces over OTLP/HTTP in JSON encoding, and keeps them. */
export const startTraceCollector = async () => {
  const bodies: string[] = [];
  let isHanging = false;
  const server = http.createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    if (request.method !== "POST" || request.url !== "/v1/traces") return void response.writeHead(404).end();
    if (isHanging) return;
    bodies.push(body);
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** after this call, requests with traces get no response and aren't kept */
    hang() {
      isHanging = true;
    },
    /** all request bodies that were kept */
    text: () => bodies.join("\n"),
    spans: (): ReceivedSpan[] =>
      bodies
        .flatMap((body) => (JSON.parse(body) as Export).resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
        .map((span) => ({ ...span, attributes: toRecord(span.attributes) })),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
};
