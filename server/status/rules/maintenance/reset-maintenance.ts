const prefix = "mtn_reset";

/** The id is derived from the time of the reset, so that each reset is announced once. */
export const resetMaintenanceId = (at: Date): string => `${prefix}${at.toISOString().replace(/\D/g, "")}`;

/** Whether a maintenance window announces a reset of the sandbox. */
export const isResetMaintenance = (id: string): boolean => id.startsWith(prefix);
