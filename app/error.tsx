"use client";
import { ErrorState } from "#components/layout/fault.tsx";

const ErrorPage = ({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) => (
  <main id="main">
    <ErrorState digest={error.digest} retry={reset} />
  </main>
);

export default ErrorPage;
