import { ApiProblem, readProblem } from './problem.ts';

interface Upload {
  path: string;
  token?: string;
  form: FormData;
  headers?: Record<string, string>;
  /** Called with the uploaded share of the whole form, 0 to 1. */
  onProgress: (share: number) => void;
  signal?: AbortSignal;
}

/** Matches the gateway's timeout for photos over slow lines. */
const GIVE_UP_MS = 300_000;

/** Uploads a form with progress, which fetch does not report. @throws ApiProblem as `call` does */
export function upload<Answer>({ path, token, form, headers, onProgress, signal }: Upload): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', path);
    request.timeout = GIVE_UP_MS;
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`);
    request.setRequestHeader('accept', 'application/json');
    request.setRequestHeader('accept-language', document.documentElement.lang);
    for (const [name, value] of Object.entries(headers ?? {})) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total, lengthComputable }) =>
      lengthComputable && onProgress(loaded / total);
    request.onload = () => {
      const body = parse(request.responseText);
      if (request.status >= 200 && request.status < 300) resolve(body as Answer);
      else {
        const retryAfter = request.getResponseHeader('retry-after');
        reject(readProblem(request.status, request.statusText, body, retryAfter));
      }
    };
    request.onerror = request.ontimeout = () =>
      reject(new ApiProblem({ type: 'network', status: 0, title: 'No answer' }));
    request.onabort = () => reject(new DOMException('The upload was called off', 'AbortError'));
    if (signal?.aborted) return reject(new DOMException('The upload was called off', 'AbortError'));
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
