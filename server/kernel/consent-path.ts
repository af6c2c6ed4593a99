/** The handle in the path of a consent page, for example in `/consent/HANDLE?error=…`; null for other paths. */
export const consentHandleOf = (path: string): string | null =>
  /^\/consent\/([A-Za-z0-9_-]{1,100})(?:[?#]|$)/.exec(path)?.[1] ?? null;
