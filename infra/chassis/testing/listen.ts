/** A client of server-sent events. */
export interface TestListener {
  status: number;
  headers: Headers;
  /** Data of the messages so far. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- expectations look into it in every direction
  received: any[];
  /** The whole text, with comments. */
  text(): string;
  /** Resolves when the server ends the stream. */
  ended: Promise<void>;
  leave(): Promise<void>;
}

/** Listens with a bearer token, as the site does: tokens are never in URLs. */
export async function listenTo(
  baseUrl: string,
  path: string,
  options: { token?: string } = {},
): Promise<TestListener> {
  const leaving = new AbortController();
  const response = await fetch(new URL(path, baseUrl), {
    headers: options.token ? { Authorization: `Bearer ${options.token}` } : {},
    signal: leaving.signal,
  });
  const received: unknown[] = [];
  let text = '';
  const read = async () => {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of response.body ?? []) {
      const piece = decoder.decode(chunk, { stream: true });
      text += piece;
      const blocks = (rest + piece).split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks) {
        const data = block.split('\n').find((line) => line.startsWith('data: '));
        if (data) received.push(JSON.parse(data.slice('data: '.length)));
      }
    }
  };
  const ended = read().catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error;
  });
  return {
    status: response.status,
    headers: response.headers,
    received,
    text: () => text,
    ended,
    async leave() {
      leaving.abort();
      await ended;
    },
  };
}
