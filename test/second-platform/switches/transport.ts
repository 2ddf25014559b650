export const transport = {
  // 1: bodies are JSON; the exact Content-Type of answers is not named
  contentType: "application/json | application/json; charset=utf-8 | text/html | absent",
  // 1: whether answers are compressed
  contentEncoding: "none | gzip when accepted | deflate when accepted | gzip always",
  // 1: whether JSON text may begin with a byte order mark
  byteOrderMark: "no | yes",
  // 1: whether connections persist
  connection: "keep-alive | close after each answer | reset when idle for 20 ms",
  // 4, 4.2: paths are printed with or without a final slash; only for commands it is called optional
  trailingSlash: "as printed | optional | never | 308 to no slash",
  // 7: paths that do not exist
  unknownPath: "error body | HTML page | 200 HTML page | empty 404",
  // 9.3: how operations marked as to be deprecated announce it
  deprecation: "not at all | field in the body | 410",
  // 1: a request with a body but without the named Content-Type
  requestContentType: "not checked | 415",
  // 4.6, 4.14: whether a JSON body on GET reaches the service through what stands before it
  getBodies: "read | dropped | 400",
  // 8: rate limits: not shown
  rateLimit:
    "none | 429 each third, Retry-After 0 | 429 each third, no header | 429 each third, HTTP date | 503 each third | 449 each third | 403 each third",
  // 1: how close the service's clock is to the caller's
  serverClock: "right | 1 hour ahead | 1 hour behind",
} as const;
