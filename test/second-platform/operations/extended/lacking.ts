import { type Answer, errorAnswer, page } from "../../answers";
import type { Switches } from "../../switches";

/** The answer to an operation that this installation does not have; undefined means that of an unknown path. */
export function lackingAnswer(switches: Switches): Answer | undefined {
  return {
    "as an unknown path": undefined,
    "404 error body": errorAnswer(404, "not found", switches),
    "404 HTML page": page(404, "The page you were looking for does not exist"),
    "404 plain text": { status: 404, text: "404 page not found\n", type: "text/plain" },
    "404 empty": { status: 404 },
    "405": errorAnswer(405, "method not allowed", switches),
    "501": errorAnswer(501, "not implemented", switches),
    "403": errorAnswer(403, "this feature is not enabled for the account", switches),
    "200 HTML page": page(200, "Data Platform"),
    "302 to a login page": { status: 302, headers: { location: "/login" } },
  }[switches.lacking];
}
