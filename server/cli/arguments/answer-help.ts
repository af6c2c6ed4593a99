/** `--help` prints `usage` and ends the process before anything is read or started. */
export const answerHelp = (usage: string): void => {
  if (!process.argv.slice(2).some((argument) => argument === "--help" || argument === "-h")) return;
  process.stdout.write(`${usage}\n`);
  process.exit(0);
};
