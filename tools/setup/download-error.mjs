/** A download failed because of the network, the server or the content. Another source may succeed. */
export class DownloadError extends Error {
  /** @override */
  name = "DownloadError";
}
