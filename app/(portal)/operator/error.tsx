"use client";
import { Fault } from "#components/layout/fault.tsx";

const ErrorPage = ({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) => (
  <Fault digest={error.digest} retry={reset} />
);

export default ErrorPage;
