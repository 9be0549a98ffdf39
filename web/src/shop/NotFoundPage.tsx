import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { usePage } from '../layout/use-page.ts';
import { Hero } from './landing/Hero.tsx';
import { Offer } from './landing/Offer.tsx';
import { PublicLayout } from '../layout/PublicLayout.tsx';
import './first/first-screen.css';
import './landing/first-picture.css';
import styles from './NotFoundPage.module.css';

/** An unknown address, which the gateway answers with 404. The landing page's picture and choice stand below the ways on. */
export function NotFoundPage() {
  const { t } = useTranslation();
  usePage(t('notFound.pageTitle'));
  return (
    <PublicLayout landing>
      <section className={`container ${styles.words}`} aria-labelledby="not-found-title">
        <h1 id="not-found-title" className="page-title">
          {t('notFound.title')}
        </h1>
        <p className="lead">{t('notFound.text')}</p>
        <nav className={styles.ways} aria-label={t('notFound.ways')}>
          <Link to="/">{t('nav.home')}</Link>
          <Link to="/plant-trees">{t('nav.plantTrees')}</Link>
          <Link to="/customer-portal">{t('nav.myTrees')}</Link>
          <Link to="/verify">{t('footer.verify')}</Link>
        </nav>
      </section>
      <Hero isBelow />
      <Offer />
    </PublicLayout>
  );
}
