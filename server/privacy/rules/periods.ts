const day = 86_400;

/** How long a data export can be downloaded. */
export const exportSeconds = 7 * day;

/** Time in which a payer can cancel the deletion of the account. */
export const coolingOffSeconds = 14 * day;
