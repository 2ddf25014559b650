import { type Answer, errorAnswer, page } from "../../answers";
import type { Switches } from "../../switches";

/** The answer to an operation that this installation does not have; undefined means that of an unknown path. */
export function lackingAnswer(switches: Switches): Answer | undefined {
  switch (switches.lacking) {
    case "404 error body":
      return errorAnswer(404, "not found", switches);
    case "404 HTML page":
      return page(404, "The page you were looking for does not exist");
    case "404 plain text":
      return { status: 404, text: "404 page not found\n", type: "text/plain" };
    case "404 empty":
      return { status: 404 };
    case "405":
      return errorAnswer(405, "method not allowed", switches);
    case "501":
      return errorAnswer(501, "not implemented", switches);
    case "403":
      return errorAnswer(403, "this feature is not enabled for the account", switches);
    case "200 HTML page":
      return page(200, "Data Platform");
    case "302 to a login page":
      return { status: 302, headers: { location: "/login" } };
    default:
      return undefined;
  }
}
