/** Addresses and integrity value of the script, for code that integrators copy. */
export type ScriptAddress = { issuer: string; cdnUrl: string; path: string; integrity: string };

/** A script that is loaded from another host can't derive the issuer from its address. */
const issuerAttribute = ({ issuer, cdnUrl }: ScriptAddress): string =>
  cdnUrl === `${issuer}/cdn` ? "" : `\n  issuer="${issuer}"`;

export const scriptSnippet = ({ cdnUrl, path, integrity }: ScriptAddress): string =>
  `<script
  src="${cdnUrl}/${path}"
  integrity="${integrity}"
  crossorigin="anonymous"
></script>`;

export const buttonSnippet = (script: ScriptAddress): string =>
  `<paygrant-button
  client-id="cl_…"
  request-uri="urn:ietf:params:oauth:request_uri:…"${issuerAttribute(script)}
></paygrant-button>

<script type="module" src="/checkout.js"></script>`;

export const resultSnippet = `// checkout.js
document.addEventListener("paygrant-result", async ({ detail }) => {
  if (detail.status !== "approved") return;
  // Your server checks that state belongs to this payer's session, and exchanges the code.
  await fetch("/checkout/code", { method: "POST", body: JSON.stringify(detail) });
});
document.addEventListener("paygrant-error", ({ detail }) => console.error(detail.code));`;

export const callbackSnippet = (script: ScriptAddress): string =>
  `<!doctype html>
<title>Returning to the shop</title>
${scriptSnippet(script)}`;

export const startSnippet = (script: ScriptAddress): string =>
  `const result = await Paygrant.startConsent({
  clientId: "cl_…",
  requestUri: "urn:ietf:params:oauth:request_uri:…",
  mode: "popup",${script.cdnUrl === `${script.issuer}/cdn` ? "" : `\n  issuer: "${script.issuer}",`}
});`;

export const policySnippet = ({ cdnUrl }: ScriptAddress): string =>
  `Content-Security-Policy: script-src 'self' ${cdnUrl}/; connect-src 'self' ${cdnUrl}/
Cross-Origin-Opener-Policy: same-origin-allow-popups`;

export const statusSnippet = ({ cdnUrl }: ScriptAddress): string =>
  `<script src="${cdnUrl}/v1/status-badge.js"></script>
<paygrant-status component="authorization_server"></paygrant-status>

<!-- or a picture -->
<img src="${cdnUrl}/v1/status-badge.svg?component=authorization_server" alt="Status of Paygrant">`;
