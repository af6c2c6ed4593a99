/** The environment is invalid, so a restart doesn't help (EX_CONFIG of sysexits). */
export const configurationExitCode = 78;
