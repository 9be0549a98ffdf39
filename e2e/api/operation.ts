import type { EndpointKey } from '@arboleda/contracts/endpoint.ts';
import { methodOf, pathOf } from '@arboleda/contracts/endpoint.ts';
import type { Role } from '@arboleda/contracts/roles.ts';

export type Schema = Record<string, unknown>;

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Schema;
}

interface Content {
  schema: Schema;
}

/** One operation, as the product's own OpenAPI document describes it. */
export interface Operation {
  /** "GET /api/stats" */
  key: EndpointKey;
  method: string;
  path: string;
  parameters: readonly Parameter[];
  /** The body, with its media type. */
  body?: { type: string; schema: Schema } | undefined;
  /** Media types and schemas of the answers, by status. */
  answers: ReadonlyMap<number, ReadonlyMap<string, Schema>>;
  /** Roles that may call; empty for public calls. */
  roles: readonly Role[];
}

interface Document {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
}

interface Described {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { content?: Record<string, Content> }>;
  security?: Record<string, unknown>[];
}

/** Every operation that a running product says it has. */
export async function describedOperations(
  productUrl: string,
): Promise<{ operations: Operation[]; schemas: Record<string, Schema> }> {
  const response = await fetch(new URL('/api/openapi.json', productUrl));
  const document = (await response.json()) as Document;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) =>
      operationOf(`${method.toUpperCase()} ${path}` as EndpointKey, described),
    ),
  );
  return { operations, schemas: document.components.schemas };
}

function operationOf(key: EndpointKey, described: Described): Operation {
  const [body] = Object.entries(described.requestBody?.content ?? {});
  return {
    key,
    method: methodOf(key),
    path: pathOf(key),
    parameters: described.parameters ?? [],
    body: body && { type: body[0], schema: body[1].schema },
    answers: new Map(
      Object.entries(described.responses).map(([status, { content = {} }]) => [
        Number(status),
        new Map(Object.entries(content).map(([type, { schema }]) => [type, schema])),
      ]),
    ),
    roles: (described.security ?? []).map((requirement) => Object.keys(requirement)[0] as Role),
  };
}

export const changesSomething = ({ method }: Operation): boolean => method !== 'GET';
