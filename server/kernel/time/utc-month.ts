/** The UTC month `months` months after the month of an instant; `to` is exclusive. */
export const utcMonth = (at: Date, months: number): { from: Date; to: Date } => {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth() + months];
  return { from: new Date(Date.UTC(year, month, 1)), to: new Date(Date.UTC(year, month + 1, 1)) };
};
