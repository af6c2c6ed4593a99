import { currentBundle } from "../../assets/bundle.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";

/**
 * The callback page of the live button at /docs/button: it loads the script and does nothing else. If BASE_URL is plain
 * http, the callback page is at a loopback IP (RFC 8252 §7.3), but the page that opened the popup is at BASE_URL.
 */
export const buttonCallbackEndpoint = defineEndpoint({
  method: "GET",
  path: "/docs/button/callback",
  operationId: "buttonCallback",
  summary: "Redirect URI of the live button in the documentation",
  tag: "Demo",
  standards: ["RFC 8252 §7.3", "RFC 9207"],
  auth: { kind: "none" },
  rateLimit: "person",
  errors: "page",
  isOffered: ({ environment }) => environment === "sandbox",
  errorCodes: ["400"],
  request: {},
  responses: { 200: { description: "A page that hands the response to its opener", contentType: "text/html" } },
  async handle({ deps }) {
    const { manifest } = await currentBundle();
    const script = manifest.files.find(({ name }) => name === "paygrant.js");
    const { origin } = new URL(deps.config.baseUrl);
    const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Returning to the documentation</title>
<script src="/cdn/${script?.path}" integrity="${script?.integrity}" data-opener-origin="${origin}"></script>
<p>You can close this window.</p>
</html>
`;
    return {
      status: 200,
      headers: {
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "content-security-policy": "default-src 'none'; script-src 'self'; base-uri 'none'; frame-ancestors 'none'",
        // Any other policy would separate the popup from its opener.
        "cross-origin-opener-policy": "unsafe-none",
      },
      body,
      contentType: "text/html; charset=utf-8",
    };
  },
});
