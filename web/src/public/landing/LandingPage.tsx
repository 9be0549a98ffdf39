import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { usePage } from '../../app/use-page.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { PublicLayout } from '../layout/PublicLayout.tsx';
import { About } from './About.tsx';
import { Benefits } from './Benefits.tsx';
import { Example } from './Example.tsx';
import { Hero } from './Hero.tsx';
import { HowItWorks } from './HowItWorks.tsx';
import { Impact } from './Impact.tsx';
import { Offer } from './Offer.tsx';
import { PlantBar } from './PlantBar.tsx';
import '../first/first-screen.css';
import './first-picture.css';

export function LandingPage() {
  const { t } = useTranslation(['landing', 'common']);
  const { pathname } = useLocation();
  usePage(t('title'));
  return (
    <PublicLayout landing>
      {pathname !== '/' && (
        <div className="container">
          <Alert kind="note">{t('common:notFound')}</Alert>
        </div>
      )}
      <Hero />
      <About />
      <Benefits />
      <Offer />
      <Impact />
      <HowItWorks />
      <Example />
      <PlantBar />
    </PublicLayout>
  );
}
