import { TERMS } from '../../content/pages/terms.ts';
import { InfoPage } from './InfoPage.tsx';

export const TermsPage = () => <InfoPage pages={TERMS} />;
