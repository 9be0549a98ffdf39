/** Splits at line feeds only: node:readline also splits at U+2028, which texts may contain. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop()!;
    yield* parts;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}
