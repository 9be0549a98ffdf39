/** A refusal of the server (problem+json), or a request that never got an answer (`status` 0, type "network"). */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly type: string;
  readonly status: number;
  readonly fields: readonly { path: string; message: string }[];
  readonly correlationId: string | undefined;

  constructor(problem: {
    type: string;
    status: number;
    title: string;
    detail?: string;
    errors?: readonly { path: string; message: string }[];
    correlationId?: string;
  }) {
    super(problem.detail ?? problem.title);
    this.type = problem.type;
    this.status = problem.status;
    this.fields = problem.errors ?? [];
    this.correlationId = problem.correlationId;
  }
}

export const isProblem = (error: unknown, type: string): boolean =>
  error instanceof ApiProblem && error.type === type;

/** Reads whatever a failed answer carries; a page of a proxy is no problem document but still a failure. */
export async function problemOf(response: Response): Promise<ApiProblem> {
  return readProblem(response.status, response.statusText, await response.json().catch(() => undefined));
}

export function readProblem(status: number, statusText: string, body: unknown): ApiProblem {
  const document = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const text = (key: string) => (typeof document[key] === 'string' ? document[key] : undefined);
  return new ApiProblem({
    type: text('type') ?? 'unknown',
    status,
    title: text('title') ?? statusText,
    detail: text('detail'),
    errors: Array.isArray(document.errors) ? document.errors : [],
    correlationId: text('correlationId'),
  });
}
