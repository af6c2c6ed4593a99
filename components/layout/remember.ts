const yearSeconds = 365 * 24 * 3600;

/** A choice of this browser as a cookie that the server renders by, so that no page ever flashes or shifts. "": forgets it. */
export const setPreferenceCookie = (name: string, value: string, path = "/"): void => {
  const { protocol } = window.location;
  const lifetime = value === "" ? 0 : yearSeconds;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API isn't in every browser that we serve
  document.cookie = `${name}=${value}; Path=${path}; Max-Age=${lifetime}; SameSite=Lax${protocol === "https:" ? "; Secure" : ""}`;
};
