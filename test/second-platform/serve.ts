import { type Answer, decorate, errorAnswer, invalid, page, Refusal, refusalAnswer } from "./answers";
import type { Call, Operation } from "./operation";
import { Parameters } from "./parameters";
import { Router } from "./route";
import type { User } from "./state";
import type { World } from "./world";

export interface Incoming {
  method: string;
  path: string;
  search: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

const header = (incoming: Incoming, name: string) => {
  const value = incoming.headers[name];
  return Array.isArray(value) ? value[0] : value;
};

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The user of a token. */
function authenticate(world: World, token: string | undefined): User {
  const user = token ? world.data.users.find((candidate) => candidate.token === token) : undefined;
  if (!user || !world.passed(user.tokenDelay)) throw new Refusal("unauthenticated", "invalid or missing token");
  return user;
}

/** Group membership and roles are looked up at each call, so role changes take effect at once. */
function isAllowed({ world: { data }, user }: Call, [builtIn, permission]: Operation["need"]): boolean {
  const groups = data.groups.filter((group) => user.groups.includes(group.id));
  const enough = builtIn === "both" ? ["system-user", "system-admin"] : [builtIn];
  if (groups.some((group) => enough.includes(group.name))) return true;
  const roles = groups.flatMap((group) => group.roles);
  return data.roles.some((role) => roles.includes(role.id) && role.permissions.includes(permission));
}

/** Turns requests into answers; independent of sockets. */
export class Service {
  private readonly router: Router;
  private count = 0;

  constructor(private readonly world: World) {
    this.router = new Router(world);
  }

  answer(incoming: Incoming): Answer {
    const early = this.limits();
    if (early) return early;
    const { switches } = this.world;
    const found = this.router.find(incoming.method, incoming.path, incoming.search);
    if (!("operation" in found)) return found;
    const { operation } = found;
    if (operation.deprecated && switches.deprecation === "410") return errorAnswer(410, "gone", switches);
    try {
      const user = authenticate(this.world, header(incoming, "x-auth-token"));
      const body = this.body(incoming, operation);
      if ("status" in body) return body;
      const query = Object.fromEntries(new URLSearchParams(incoming.search));
      const path = Object.fromEntries(Object.entries(found.rawPath).map(([name, raw]) => [name, decodePart(raw)]));
      const record = (body.json ?? {}) as Record<string, unknown>;
      const call: Call = {
        world: this.world,
        user,
        path,
        rawPath: found.rawPath,
        query,
        body: record,
        rawBody: body.json,
        parameters: new Parameters(switches, record),
      };
      return this.carryOut(operation, call);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return refusalAnswer(error, switches, operation.name.startsWith("whitelist"));
    }
  }

  private carryOut(operation: Operation, call: Call): Answer {
    if (!isAllowed(call, operation.need)) throw new Refusal("forbidden", `not allowed: ${operation.need[1]}`);
    return decorate(this.world.switches, operation, operation.run(call));
  }

  private limits(): Answer | undefined {
    const { switches } = this.world;
    this.count += 1;
    if (switches.rateLimit === "none" || this.count % 3 !== 0) return undefined;
    const answer = errorAnswer(Number.parseInt(switches.rateLimit, 10), "API rate limit exceeded", switches);
    if (switches.rateLimit === "429 each third, Retry-After 0") return { ...answer, headers: { "retry-after": "0" } };
    if (switches.rateLimit === "429 each third, HTTP date")
      return { ...answer, headers: { "retry-after": new Date().toUTCString() } };
    return answer;
  }

  private body(incoming: Incoming, operation: Operation): { json: unknown } | Answer {
    const { switches } = this.world;
    if (incoming.text === "") return { json: undefined };
    if (incoming.method === "GET" && switches.getBodies !== "read")
      return switches.getBodies === "dropped" ? { json: undefined } : page(400, "400 Bad Request");
    const isJson = /^application\/json\b/.test(header(incoming, "content-type") ?? "");
    if (!isJson && switches.requestContentType === "415") return errorAnswer(415, "unsupported media type", switches);
    const json: unknown = JSON.parse(incoming.text);
    const record = typeof json === "object" && json !== null && !Array.isArray(json);
    if (!record && !operation.name.startsWith("groupRoles.")) throw invalid("the body must be a JSON object");
    return { json };
  }
}
