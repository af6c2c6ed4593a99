type PastedKey = { jwk: Record<string, unknown> } | { problem: string };

/**
 * Reads a pasted public key. A text with a secret member is refused here, so that it never leaves the browser (RFC 7518
 * §6).
 */
export const readPastedKey = (text: string): PastedKey => {
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { problem: "This isn’t a JSON object. Paste the public key as a JWK." };
  if ("d" in value || "k" in value) {
    return { problem: "This text contains a private key. It was not sent. Paste only the public key." };
  }
  return { jwk: { ...value } };
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
