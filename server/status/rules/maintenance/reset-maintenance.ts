const prefix = "mtn_reset";

/** The same for the same reset of the sandbox, whoever announces it: no instant is told twice. */
export const resetMaintenanceId = (at: Date): string => `${prefix}${at.toISOString().replace(/\D/g, "")}`;

/** Whether a maintenance announces a reset of the sandbox. */
export const isResetMaintenance = (id: string): boolean => id.startsWith(prefix);
