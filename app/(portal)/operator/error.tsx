"use client";
export { ErrorState as default } from "#components/layout/fault.tsx";
