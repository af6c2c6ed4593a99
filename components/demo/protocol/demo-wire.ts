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

const shownHeaders = [
  "content-type",
  "location",
  "cache-control",
  "dpop-nonce",
  "retry-after",
  "www-authenticate",
  "x-request-id",
];

type Sent = { method: string; headers: Record<string, string>; body?: string };

/** Records the requests of the client package. */
export type Recorder = {
  exchanges: Exchange[];
  /** the options of a call whose requests are recorded under this title */
  recording(title: string): { fetch: (url: string, init: Sent) => Promise<Response> };
};

export const createRecorder = (): Recorder => {
  const exchanges: Exchange[] = [];
  const record = async (title: string, url: string, init: Sent): Promise<Response> => {
    const startedAt = performance.now();
    const response = await fetch(url, init);
    const { pathname: path } = new URL(url);
    const milliseconds = Math.round(performance.now() - startedAt);
    exchanges.push({
      ...requestOf(init),
      ...(await responseOf(response)),
      id: crypto.randomUUID(),
      title,
      path,
      milliseconds,
    });
    return response;
  };
  return { exchanges, recording: (title) => ({ fetch: (url, init) => record(title, url, init) }) };
};

const requestOf = ({ method, headers, body = "" }: Sent) => ({
  method,
  requestHeaders: Object.entries(headers),
  requestBody: headers["content-type"]?.includes("form") ? [...new URLSearchParams(body)] : membersOf(body),
});

const responseOf = async (response: Response) => ({
  status: response.status,
  responseHeaders: shownHeaders.flatMap((name): [string, string][] => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value]];
  }),
  responseBody: membersOf(await response.clone().text()),
});

const membersOf = (text: string): [string, unknown][] => {
  if (text === "") return [];
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? Object.entries(value) : [["", value]];
  } catch {
    return [["", text.slice(0, 2_000)]];
  }
};

export const responseMember = (exchange: Exchange, name: string): unknown =>
  exchange.responseBody.find(([member]) => member === name)?.[1];
