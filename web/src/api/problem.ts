export interface ProblemField {
  path: string;
  message: string;
  /** Its slug in contracts, for a sentence in the language of the page. */
  type?: string;
}

/** A refusal of the server (problem+json), or a request that never got an answer (`status` 0, type "network"). */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly type: string;
  readonly status: number;
  readonly fields: readonly ProblemField[];
  readonly correlationId: string | undefined;
  /** When it makes sense to ask again, as the server said. */
  readonly retryAfterSeconds: number | undefined;
  /** Of type "network": there may be a connection, but the answer did not come in time. */
  readonly isLate: boolean;

  constructor(problem: {
    type: string;
    status: number;
    title: string;
    detail?: string;
    errors?: readonly ProblemField[];
    correlationId?: string;
    retryAfterSeconds?: number | undefined;
    isLate?: boolean;
  }) {
    super(problem.detail ?? problem.title);
    this.type = problem.type;
    this.status = problem.status;
    this.fields = problem.errors ?? [];
    this.correlationId = problem.correlationId;
    this.retryAfterSeconds = problem.retryAfterSeconds;
    this.isLate = problem.isLate ?? false;
  }
}

export const isProblem = (error: unknown, type: string): boolean =>
  error instanceof ApiProblem && error.type === type;

/** Reads whatever a failed answer carries; a page of a proxy is no problem document but still a failure. */
export async function problemOf(response: Response): Promise<ApiProblem> {
  const body: unknown = await response.json().catch(() => undefined);
  return readProblem(response.status, response.statusText, body, response.headers.get('retry-after'));
}

/** @param retryAfter the header as it came: seconds; a date is not read, our own server never sends one */
export function readProblem(
  status: number,
  statusText: string,
  body: unknown,
  retryAfter: string | null,
): ApiProblem {
  const document = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const text = (key: string) => (typeof document[key] === 'string' ? document[key] : undefined);
  return new ApiProblem({
    type: text('type') ?? 'unknown',
    status,
    title: text('title') ?? statusText,
    detail: text('detail'),
    errors: Array.isArray(document.errors) ? document.errors : [],
    correlationId: text('correlationId'),
    retryAfterSeconds: Number.parseInt(retryAfter ?? '', 10) || undefined,
  });
}
