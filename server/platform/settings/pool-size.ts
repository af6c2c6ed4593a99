import os from "node:os";

/**
 * Waiting here for a connection is free. Waiting in PostgreSQL for a CPU costs context switches. On two CPUs, two web
 * processes make a third more charges with 8 connections each than with 16. At 100 charges/s, 5 each are too few.
 */
export const defaultPoolSize = (): number => Math.min(4 * os.availableParallelism(), 16);
