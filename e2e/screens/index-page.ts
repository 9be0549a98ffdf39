import { LANGUAGES, LOOKS, pictureName } from './pictures.ts';

/** A page to look all pictures through: a row for each screen and language, narrowed down by what is typed. */
export function indexPage(screens: readonly string[]): string {
  const rows = screens.flatMap((screen) =>
    LANGUAGES.map((language) => {
      const cells = LOOKS.map((look) => {
        const file = pictureName(screen, language, look);
        return `<td><a href="${file}"><img src="${file}" loading="lazy" alt="${file}"></a></td>`;
      });
      return `<tr id="${screen}-${language}"><th>${screen}<br>${language}</th>${cells.join('')}</tr>`;
    }),
  );
  const heads = LOOKS.map(({ width, scheme }) => `<th>${width} ${scheme}</th>`).join('');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Screens</title>
<style>
  body { font: 14px/1.4 system-ui; margin: 16px; background: #ddd }
  th { text-align: left; vertical-align: top; padding: 8px }
  thead th, input { position: sticky; top: 0; background: #ddd }
  td { vertical-align: top; padding: 4px }
  img { max-width: 320px; max-height: 640px; background: #fff }
</style>
<input type="search" placeholder="landing es" aria-label="Which screens" autofocus>
<table><thead><tr><th></th>${heads}</tr></thead><tbody>${rows.join('\n')}</tbody></table>
<script>
  document.querySelector('input').addEventListener('input', ({ target }) => {
    const words = target.value.toLowerCase().split(/\\s+/);
    for (const row of document.querySelectorAll('tbody tr'))
      row.hidden = !words.every((word) => row.id.includes(word));
  });
</script>
`;
}
