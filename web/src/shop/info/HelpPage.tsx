import { HELP } from '../../content/pages/help.ts';
import { InfoPage } from './InfoPage.tsx';

export const HelpPage = () => <InfoPage pages={HELP} />;
