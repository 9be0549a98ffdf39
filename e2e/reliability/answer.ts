/** An answer to a request, or none. */
export interface Answered {
  /** 0: the connection broke, or nothing came in time. */
  status: number;
  hasRetryAfter: boolean;
  /** Why there was no answer. */
  failure?: string;
}

/** Waits for the last byte of an answer. @param read reads the body of a success */
export async function answerOf(
  asking: Promise<Response>,
  read?: (response: Response) => Promise<void>,
): Promise<Answered> {
  try {
    const response = await asking;
    if (read && response.ok) await read(response);
    else await response.arrayBuffer();
    return { status: response.status, hasRetryAfter: response.headers.has('retry-after') };
  } catch (error) {
    const { cause = error } = error as Error;
    const failure = String((cause as NodeJS.ErrnoException).code ?? cause);
    return { status: 0, hasRetryAfter: false, failure };
  }
}
