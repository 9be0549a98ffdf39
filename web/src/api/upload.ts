import { ApiProblem, readProblem } from './problem.ts';

interface Upload {
  path: string;
  token: string;
  field: string;
  file: File;
  /** Called with the share that was sent, 0 to 1. */
  onProgress: (share: number) => void;
}

/** As long as the gateway waits for a photo over a slow line. */
const GIVE_UP_MS = 300_000;

/** Sends one file with its progress, which fetch cannot tell. @throws ApiProblem as `call` does. */
export function upload<Answer>({ path, token, field, file, onProgress }: Upload): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', path);
    request.timeout = GIVE_UP_MS;
    request.setRequestHeader('authorization', `Bearer ${token}`);
    request.setRequestHeader('accept', 'application/json');
    request.setRequestHeader('accept-language', document.documentElement.lang);
    request.upload.onprogress = ({ loaded, total, lengthComputable }) =>
      lengthComputable && onProgress(loaded / total);
    request.onload = () => {
      const body = parse(request.responseText);
      if (request.status >= 200 && request.status < 300) resolve(body as Answer);
      else reject(readProblem(request.status, request.statusText, body));
    };
    request.onerror = request.ontimeout = () =>
      reject(new ApiProblem({ type: 'network', status: 0, title: 'No answer' }));
    const form = new FormData();
    form.append(field, file);
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
