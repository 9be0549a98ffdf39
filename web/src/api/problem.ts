export interface ProblemField {
  path: string;
  message: string;
  /** Slug in contracts, for a sentence in the page's language. */
  type?: string;
}

/** A refusal of the server (problem+json), or a request without an answer (`status` 0, type "network"). */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly type: string;
  readonly status: number;
  readonly fields: readonly ProblemField[];
  readonly correlationId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** A "network" problem whose answer missed the deadline; the connection may work. */
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

/** Parses a failed answer; also handles HTML from proxies. */
export async function problemOf(response: Response): Promise<ApiProblem> {
  const body: unknown = await response.json().catch(() => undefined);
  return readProblem(response.status, response.statusText, body, response.headers.get('retry-after'));
}

/** @param retryAfter raw header in seconds; the product never sends dates */
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
