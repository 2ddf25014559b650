export const transport = {
  // 1: bodies are JSON; the exact Content-Type of answers is not named
  contentType:
    "application/json | application/json; charset=utf-8 | application/vnd.api+json | text/json | text/plain | text/html | absent",
  // 1: whether answers are compressed
  contentEncoding: "none | gzip when accepted | deflate when accepted | gzip always",
  // 1: whether JSON text may begin with a byte order mark
  byteOrderMark: "no | yes",
  // 1: white space and escapes of JSON text
  jsonLayout: "compact | indented | blank lines around | escaped as \\u",
  // 1: how the body is framed
  bodyFraming: "content-length | chunked in pieces",
  // 1: whether connections persist
  connection: "keep-alive | close after each answer | reset when idle for 20 ms",
  // 4, 4.2: paths are printed with or without a final slash; only for commands it is called optional
  trailingSlash: "as printed | optional | never | 301 to the printed form | 308 to the printed form | 308 to no slash",
  // 7: paths that do not exist
  unknownPath: "error body | HTML page | 200 HTML page | empty 404",
  // 9.3: how operations marked as to be deprecated announce it
  deprecation: "not at all | Deprecation and Sunset headers | Warning header | field in the body | 410",
  // 1: a request with a body but without the named Content-Type
  requestContentType: "not checked | 415 | body ignored",
  // 1: a request without the named Accept
  requestAccept: "not checked | 406 | HTML page",
  // 4.6, 4.14: whether a JSON body on GET reaches the service through what stands before it
  getBodies: "read | dropped | 400",
  // 8: rate limits: not shown
  rateLimit:
    "none | 429 each third, Retry-After 0 | 429 each third, no header | 429 each third, HTTP date | 503 each third | 449 each third | 403 each third",
  // 1: whether answers carry a Date header
  dateHeader: "by the service's clock | absent",
  // 4: form of the address a redirect names
  redirectAddress: "path | absolute | by another host name",
  // 1: how close the service's clock is to the caller's
  serverClock: "right | 1 hour ahead | 1 hour behind",
  // 1: how long an answer takes
  latency: "none | 50 ms | 300 ms on changes",
} as const;
