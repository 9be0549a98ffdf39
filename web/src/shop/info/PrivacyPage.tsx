import { PRIVACY } from '../../content/pages/privacy.ts';
import { InfoPage } from './InfoPage.tsx';

export const PrivacyPage = () => <InfoPage pages={PRIVACY} />;
