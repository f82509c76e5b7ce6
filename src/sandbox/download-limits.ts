import type { DownloadLimits } from "../interfaces/index.js";

/** Logs and results, not disk images. */
export const DEFAULT_DOWNLOAD_LIMITS: DownloadLimits = {
  bytes: 512 * 1024 * 1024,
  fileBytes: 256 * 1024 * 1024,
  entries: 200_000,
  depth: 64,
  nameBytes: 255,
};
