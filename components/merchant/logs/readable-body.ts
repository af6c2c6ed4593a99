/** JSON with indentation, a form with a line for each parameter, and any other text unchanged. */
export const readableBody = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return /^[\w.-]+=/.test(body) ? body.replaceAll("&", "\n&") : body;
  }
};
