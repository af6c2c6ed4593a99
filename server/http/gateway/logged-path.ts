/** The path without secrets, such as the handle of a consent page. */
export const loggedPath = (pathname: string): string => pathname.slice(0, 200).replace(/[A-Za-z0-9_-]{32,}/g, "…");
