/** A process ended since its environment is wrong: starting it again would not help (EX_CONFIG of sysexits). */
export const configurationExitCode = 78;
