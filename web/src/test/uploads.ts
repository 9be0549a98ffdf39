interface Upload {
  path: string;
  name: string;
  details?: { clientId?: string; takenAt?: string };
  form: FormData;
  headers: Record<string, string>;
}

/** Replaces XMLHttpRequest uploads, which jsdom lacks; tests control the latest upload. */
export function fakeUploads() {
  const requests: Upload[] = [];
  let latest: FakeRequest | undefined;

  class FakeRequest {
    status = 0;
    statusText = '';
    responseText = '';
    upload: { onprogress?: (event: object) => void } = {};
    onload?: () => void;
    onerror?: () => void;
    path = '';
    open(_method: string, path: string) {
      this.path = path;
    }
    headers: Record<string, string> = {};
    onabort?: () => void;
    setRequestHeader(name: string, value: string) {
      this.headers[name] = value;
    }
    abort() {
      this.onabort?.();
    }
    getResponseHeader() {
      return null;
    }
    send(form: FormData) {
      const photo = form.get('photos');
      const details = form.get('details');
      requests.push({
        path: this.path,
        name: photo instanceof File ? photo.name : '',
        ...(typeof details === 'string' && { details: (JSON.parse(details) as Upload['details'][])[0]! }),
        form,
        headers: this.headers,
      });
      latest = this as FakeRequest;
    }
  }
  globalThis.XMLHttpRequest = FakeRequest as unknown as typeof XMLHttpRequest;
  URL.createObjectURL = () => 'blob:preview';
  URL.revokeObjectURL = () => undefined;

  return {
    requests,
    progress: (share: number) =>
      latest!.upload.onprogress?.({ loaded: share * 100, total: 100, lengthComputable: true }),
    answer(status: number, body: object) {
      Object.assign(latest!, { status, responseText: JSON.stringify(body) });
      latest!.onload?.();
    },
    lose: () => latest!.onerror?.(),
  };
}
