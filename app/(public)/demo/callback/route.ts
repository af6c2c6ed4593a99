import { currentDeps } from "#server/http/runtime.ts";

/** The demo agent's redirect URI: a loopback IP where BASE_URL is plain http, so it sends the browser on to the demo's own origin. */
export const GET = async (request: Request): Promise<Response> => {
  const { baseUrl } = currentDeps().config;
  const location = `${baseUrl}/demo/return${new URL(request.url).search}`;
  return new Response(null, {
    status: 303,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  });
};
