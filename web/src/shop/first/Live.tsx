/**
 * A value that changes while the page is open. The prerendered page fills it in before the app runs (see
 * hydrate-on-interaction.ts), so hydration may meet a newer value.
 */
export function Live({ name, children }: { name: string; children: string }) {
  return (
    <span data-live={name} suppressHydrationWarning>
      {children}
    </span>
  );
}

/** A sentence around a live value, with `LIVE_MARK` in the value's place. */
export function LiveSentence({ name, sentence, value }: { name: string; sentence: string; value: string }) {
  const [before, after] = sentence.split(LIVE_MARK);
  return (
    <>
      {before}
      <Live name={name}>{value}</Live>
      {after}
    </>
  );
}

export const LIVE_MARK = '\u0001';
