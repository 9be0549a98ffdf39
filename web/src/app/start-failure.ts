/** Shown when even the app's texts failed to load, so no translation exists. */
const WORDS = [
  { lang: 'en', text: 'Arboleda could not be loaded. Check your connection.', reload: 'Load the page again' },
  {
    lang: 'es',
    text: 'No se pudo cargar Arboleda. Revisa tu conexión.',
    reload: 'Cargar la página otra vez',
  },
];

/** A prerendered page keeps its content and links; an empty one gets this message. */
export function showStartFailure(root: HTMLElement): void {
  if (root.childElementCount > 0) return;
  const main = document.createElement('main');
  main.className = 'container';
  const alert = document.createElement('div');
  alert.setAttribute('role', 'alert');
  for (const { lang, text, reload } of WORDS) {
    const words = document.createElement('p');
    words.lang = lang;
    const link = document.createElement('a');
    link.href = window.location.href;
    link.textContent = reload;
    words.append(`${text} `, link);
    alert.append(words);
  }
  main.append(alert);
  root.append(main);
}
