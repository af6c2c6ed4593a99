"use client";
import { ErrorState } from "#components/layout/fault.tsx";

const ErrorPage = ({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) => (
  <ErrorState digest={error.digest} retry={reset} />
);

export default ErrorPage;
