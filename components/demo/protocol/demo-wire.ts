/** One call with its request and response. */
export type Exchange = {
  id: string;
  title: string;
  method: string;
  path: string;
  requestHeaders: [string, string][];
  /** form fields or JSON members, in order */
  requestBody: [string, unknown][];
  status: number;
  responseHeaders: [string, string][];
  responseBody: [string, unknown][];
  milliseconds: number;
};

export type Call = {
  title: string;
  path: string;
  headers?: Record<string, string>;
  form?: Record<string, string>;
  json?: Record<string, unknown>;
};

const shownHeaders = [
  "content-type",
  "location",
  "cache-control",
  "dpop-nonce",
  "retry-after",
  "www-authenticate",
  "x-request-id",
];

/** Sends a POST to this origin and records the request and the response. */
export const sendExchange = async ({ title, path, headers = {}, form, json }: Call): Promise<Exchange> => {
  const contentType = form ? "application/x-www-form-urlencoded" : "application/json";
  const sent = { "content-type": contentType, ...headers };
  const startedAt = performance.now();
  const response = await fetch(path, {
    method: "POST",
    headers: sent,
    credentials: "omit",
    body: form ? new URLSearchParams(form) : JSON.stringify(json),
  });
  const text = await response.text();
  return {
    id: crypto.randomUUID(),
    title,
    method: "POST",
    path,
    requestHeaders: Object.entries(sent),
    requestBody: Object.entries(form ?? json ?? {}),
    status: response.status,
    responseHeaders: shownHeaders.flatMap((name): [string, string][] => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
    responseBody: membersOf(text),
    milliseconds: Math.round(performance.now() - startedAt),
  };
};

const membersOf = (text: string): [string, unknown][] => {
  if (text === "") return [];
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? Object.entries(value) : [["", value]];
  } catch {
    return [["", text.slice(0, 2_000)]];
  }
};

export const responseHeader = (exchange: Exchange, name: string): string | null =>
  exchange.responseHeaders.find(([header]) => header === name)?.[1] ?? null;

export const responseMember = (exchange: Exchange, name: string): unknown =>
  exchange.responseBody.find(([member]) => member === name)?.[1];

/** @throws Error that names the call whose response lacks the member. */
export const responseText = (exchange: Exchange, name: string): string => {
  const value = responseMember(exchange, name);
  if (typeof value !== "string")
    throw new Error(`${exchange.path} responded with ${exchange.status}, but without ${name}.`);
  return value;
};
