"use client";
import { ErrorState, type ErrorStateProps } from "#components/layout/error-state.tsx";

const ErrorPage = (props: ErrorStateProps) => (
  <main id="main">
    <ErrorState {...props} />
  </main>
);

export default ErrorPage;
