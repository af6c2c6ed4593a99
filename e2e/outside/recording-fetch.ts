/** Records what a library sends and receives, for additional checks. It changes nothing. */
export type Recording = {
  /** passed to a library as its custom fetch */
  fetch(url: string, options: object): Promise<Response>;
  /** the last request, to pass to a resource server */
  lastRequest(): Request;
  /** how often the server required a DPoP nonce (RFC 9449 §8, §9) */
  nonceDemands(): number;
};

export const createRecording = (): Recording => {
  let nonceDemands = 0;
  let last: Request | undefined;
  return {
    async fetch(url, options) {
      last = new Request(url, options);
      const response = await fetch(url, options);
      const challenge = response.headers.get("www-authenticate") ?? "";
      const isRefusal = response.status === 400 || response.status === 401;
      if (isRefusal && `${challenge} ${await response.clone().text()}`.includes("use_dpop_nonce")) nonceDemands += 1;
      return response;
    },
    lastRequest() {
      if (!last) throw new Error("nothing was sent");
      return last;
    },
    nonceDemands: () => nonceDemands,
  };
};
