import { useTranslation } from 'react-i18next';
import { usePage } from '../../layout/use-page.ts';
import { PublicLayout } from '../../layout/PublicLayout.tsx';
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
  const { t } = useTranslation('landing');
  usePage(t('title'));
  return (
    <PublicLayout landing>
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
