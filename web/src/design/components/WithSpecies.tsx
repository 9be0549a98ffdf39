/** Renders `<i>…</i>` in a text as species names. */
export function WithSpecies({ text }: { text: string }) {
  return text.split(/<\/?i>/).map((part, at) =>
    at % 2 ? (
      <i key={at} lang="la">
        {part}
      </i>
    ) : (
      part
    ),
  );
}
