/** A sentence whose species names are marked `<i>…</i>` in the texts, with those names set as species are. */
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
