/** What should be downloaded did not arrive whole: the network, the server or the content failed. Another source may do. */
export class DownloadError extends Error {
  /** @override */
  name = "DownloadError";
}
