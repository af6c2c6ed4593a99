"use client";
export { ErrorState as default } from "#components/layout/error-state.tsx";
