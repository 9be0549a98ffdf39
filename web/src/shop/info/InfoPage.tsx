import { useTranslation } from 'react-i18next';
import { usePage } from '../../layout/use-page.ts';
import type { TextPages } from '../../content/pages/page.ts';
import { asLanguage } from '../../i18n/languages.ts';
import { PublicLayout } from '../../layout/PublicLayout.tsx';
import styles from './InfoPage.module.css';

/** A page of text from the content folder, such as help, privacy and terms. */
export function InfoPage({ pages }: { pages: TextPages }) {
  const { t, i18n } = useTranslation();
  const { title, lead, note, sections } = pages[asLanguage(i18n.language) ?? 'en'];
  usePage(`${title} · Arboleda`);
  return (
    <PublicLayout>
      <article className={`container ${styles.page}`}>
        <header>
          <h1 className="page-title">{title}</h1>
          <p className="lead">{lead}</p>
          {note && <p className="quiet">{note}</p>}
        </header>
        <nav className={styles.contents} aria-label={t('contents')}>
          {sections.map((section) => (
            <a key={section.id} href={`#${section.id}`}>
              {section.title}
            </a>
          ))}
        </nav>
        <div className={styles.text}>
          {sections.map((section) => (
            <section key={section.id} id={section.id} aria-labelledby={`${section.id}-title`}>
              <h2 id={`${section.id}-title`} className="sub-title">
                {section.title}
              </h2>
              <Paragraphs of={section.paragraphs} />
            </section>
          ))}
        </div>
      </article>
    </PublicLayout>
  );
}

const ITEM = '- ';

/** Plain paragraphs, or one list when they are items. */
function Paragraphs({ of: paragraphs }: { of: readonly string[] }) {
  if (paragraphs.every((text) => text.startsWith(ITEM))) {
    return (
      <ul>
        {paragraphs.map((text) => (
          <li key={text}>{text.slice(ITEM.length)}</li>
        ))}
      </ul>
    );
  }
  return paragraphs.map((text) => <p key={text}>{text}</p>);
}
