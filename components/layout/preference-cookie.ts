const yearSeconds = 365 * 24 * 3600;

/**
 * Stores a choice of this browser in a cookie, so that the server can apply it. An empty value deletes the cookie.
 */
export const setPreferenceCookie = (name: string, value: string, path = "/"): void => {
  const { protocol } = window.location;
  const lifetime = value === "" ? 0 : yearSeconds;
  // biome-ignore lint/suspicious/noDocumentCookie: not every supported browser has the Cookie Store API
  document.cookie = `${name}=${value}; Path=${path}; Max-Age=${lifetime}; SameSite=Lax${protocol === "https:" ? "; Secure" : ""}`;
};
