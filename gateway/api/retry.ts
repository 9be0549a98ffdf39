/** An attempt to have a call answered that ended without an answer. */
export interface FailedAttempt {
  method: string;
  hasBody: boolean;
  /** Whether there was a connection: without one, nothing of the call was sent and nothing of its body read. */
  wasConnected: boolean;
  /** Whether that connection had served another call before. */
  wasReused: boolean;
  /** Whether a byte of an answer came. */
  wasAnswered: boolean;
  /** The code of the socket's error. */
  code: string | undefined;
  /** Attempts so far, this one counted. */
  attempts: number;
  /** Whether there is a replica that has not been tried. */
  hasOther: boolean;
}

const MAX_ATTEMPTS = 3;
/** What may be asked twice: https://www.rfc-editor.org/rfc/rfc9110#name-idempotent-methods */
const REPEATABLE = new Set(['GET', 'HEAD', 'DELETE']);
/** The last is undici's word for the first. */
const CUT = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Whether a call may be sent once more: never when it may have been received and would count twice. */
export function mayRetry(attempt: FailedAttempt): boolean {
  if (attempt.attempts >= MAX_ATTEMPTS || attempt.wasAnswered) return false;
  if (!attempt.wasConnected) return attempt.hasOther;
  if (attempt.hasBody || !REPEATABLE.has(attempt.method) || !CUT.has(attempt.code ?? '')) return false;
  // A service may close an idle connection just as a call takes it: the same one answers on a new connection.
  return attempt.hasOther || attempt.wasReused;
}
