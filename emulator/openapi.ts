import { z } from "zod";
import type { Route } from "./router";

type Json = Record<string, unknown>;

const errorAnswer = z.object({ error: z.object({ error_code: z.int(), error_message: z.string() }) });

const errors: Record<string, string> = {
  400: "Malformed request",
  401: "Missing or invalid token",
  403: "Not allowed: the message names the permission",
  404: "No such path or record",
  409: "Conflict with an existing record",
  422: "Invalid parameter: the message names it",
};

/** An OpenAPI 3.1 document of all operations, generated from the routes' validation schemas. */
export function openApiDocument(routes: readonly Route[]): Json {
  return {
    openapi: "3.1.0",
    info: { title: "Data Platform Management API (emulator)", version: "1.2" },
    servers: [{ url: "/" }],
    security: [{ token: [] }],
    paths: pathItems(routes),
    components: {
      securitySchemes: { token: { type: "apiKey", in: "header", name: "X-AUTH-TOKEN" } },
      schemas: { Error: schemaOf(errorAnswer, "output") },
    },
  };
}

function pathItems(routes: readonly Route[]): Json {
  const items: Record<string, Json> = {};
  for (const route of routes)
    for (const [index, path] of route.paths.entries()) {
      const template = path.replace(/:(\w+)/g, "{$1}");
      items[template] = { ...items[template], [route.method.toLowerCase()]: operation(route, path, index) };
    }
  return items;
}

function operation(route: Route, path: string, index: number): Json {
  const { groups, permission } = route.access;
  const others = route.access.orElse ? `, ${route.access.orElse}` : "";
  const body = schemaOf(route.params, "input");
  return {
    operationId: index === 0 ? route.operation : `${route.operation}.${index + 1}`,
    summary: route.summary,
    description: `Needs ${groups.join(" or ")}${others}, or a role with the permission "${permission}".`,
    tags: [route.operation.split(".")[0]],
    parameters: [...pathParameters(path), ...(route.from.startsWith("query") ? queryParameters(body) : [])],
    ...(route.from.endsWith("body") && {
      requestBody: { required: route.from === "body", content: { "application/json": { schema: body } } },
    }),
    responses: {
      200: {
        description: "Success",
        content: {
          [route.textAnswer ? "text/plain" : "application/json"]: { schema: schemaOf(route.answer, "output") },
        },
      },
      ...Object.fromEntries(
        Object.entries(errors).map(([status, description]) => [
          status,
          { description, content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } } },
        ]),
      ),
    },
  };
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters(schema: Json): Json[] {
  return Object.entries((schema.properties ?? {}) as Json).map(([name, property]) => ({
    name,
    in: "query",
    required: false,
    schema: property,
  }));
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}
