import http from "node:http";
import https from "node:https";

export type JsonRequest = {
  method: "GET" | "POST";
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: string;
};

/**
 * `refused`: no connection was established, so the request can't have arrived. `broken`: it is unknown whether it
 * arrived.
 */
export type JsonReply = { kind: "reply"; status: number; body: unknown } | { kind: "refused" } | { kind: "broken" };

/** `deadline` is a time of `performance.now()`, so that callers don't wait longer if the clock steps back. */
export type Transport = { request(request: JsonRequest, deadline: number): Promise<JsonReply> };

const maxReplyBytes = 1024 * 1024;

/** Keep-alive connections to one processor. @param connectMs limit for connecting. */
export const createTransport = (connectMs: number): Transport => {
  const options = { keepAlive: true, maxSockets: 256, maxFreeSockets: 64 };
  const agents = { "http:": new http.Agent(options), "https:": new https.Agent(options) };
  return {
    request: (request, deadline) => send(agents, request, { connectMs, deadline }),
  };
};

const send = (
  agents: { "http:": http.Agent; "https:": https.Agent },
  { method, url, headers, body }: JsonRequest,
  { connectMs, deadline }: { connectMs: number; deadline: number },
): Promise<JsonReply> =>
  new Promise((resolve) => {
    let isConnected = false;
    const isSecure = url.protocol === "https:";
    const request = (isSecure ? https : http).request(url, {
      method,
      headers: body === undefined ? headers : { ...headers, "content-length": Buffer.byteLength(body) },
      agent: isSecure ? agents["https:"] : agents["http:"],
    });
    const connectTimer = setTimeout(() => isConnected || finish({ kind: "refused" }), connectMs);
    const totalTimer = setTimeout(
      () => finish({ kind: isConnected ? "broken" : "refused" }),
      Math.max(deadline - performance.now(), 0),
    );
    const finish = (reply: JsonReply): void => {
      clearTimeout(connectTimer);
      clearTimeout(totalTimer);
      resolve(reply);
      if (reply.kind !== "reply") request.destroy();
    };
    request.on("socket", (socket) => {
      const connected = () => {
        isConnected = true;
        // Nothing is sent before this point: a call that times out earlier can't have arrived.
        request.end(body);
      };
      if (socket.connecting) socket.once(isSecure ? "secureConnect" : "connect", connected);
      else connected();
    });
    request.on("error", () => finish({ kind: isConnected ? "broken" : "refused" }));
    request.on("response", (response) => {
      readReply(response).then(finish, () => finish({ kind: "broken" }));
    });
  });

const readReply = async (response: http.IncomingMessage): Promise<JsonReply> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxReplyBytes) return { kind: "broken" };
    chunks.push(chunk);
  }
  return { kind: "reply", status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString("utf8")) };
};
