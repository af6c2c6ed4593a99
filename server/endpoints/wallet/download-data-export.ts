import { z } from "zod";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { DomainError } from "../../kernel/errors.ts";
import { findDataExport } from "../../privacy/find-data-export.ts";
import { downloadHeaders, replyToPayer, signInResponse } from "./payer-download.ts";

/** The link on the privacy page. Without a session, the browser goes to the sign-in form and returns to the page. */
export const downloadDataExportEndpoint = defineEndpoint({
  method: "GET",
  path: "/wallet/privacy/exports/{export_id}",
  operationId: "downloadDataExport",
  summary: "Download an export of the signed-in account’s data",
  tag: "Wallet",
  standards: [],
  auth: { kind: "none" },
  rateLimit: "person",
  errors: "page",
  errorCodes: ["404"],
  request: { params: z.object({ export_id: z.string().max(64) }) },
  responses: {
    200: {
      description: "The export, as a file with one JSON document",
      contentType: "application/json",
      example: '{"exported_at":"2026-11-26T12:00:00.000Z","account":{"id":"acc_…"}}',
    },
    ...signInResponse,
  },
  handle({ deps, request }, { params: { export_id: id } }) {
    const access = { action: "data_export.list", returnTo: "/wallet/privacy" } as const;
    return replyToPayer({ deps, request }, access, async ({ account }) => {
      const body = await findDataExport(deps, { id, accountId: account.id });
      if (!body) throw exportNotFound();
      return { status: 200, contentType: "application/json", headers: downloadHeaders(`paygrant-${id}.json`), body };
    });
  },
});

const exportNotFound = (): DomainError =>
  new DomainError("not_found", {
    code: "data_export_not_found",
    message: "Export not found. It may have expired: request a new one.",
  });
