import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonAnchor } from '../design/components/Button.tsx';
import { Icon } from '../design/components/Icon.tsx';
import { mapPin, navigation, note, type Outline, user } from '../design/components/icons.ts';
import styles from './AssignmentCard.module.css';

interface Place {
  plot?: string | undefined;
  coordinates?: { latitude: number; longitude: number } | undefined;
}

/** Directions in the phone's map, to the coordinates if known, else to the place someone entered. */
export function directionsAddress({ plot, coordinates }: Place): string | undefined {
  const goal = coordinates ? `${coordinates.latitude},${coordinates.longitude}` : plot?.trim();
  if (!goal) return undefined;
  const query = new URLSearchParams({ api: '1', destination: coordinates ? goal : `${goal}, Colombia` });
  return `https://www.google.com/maps/dir/?${query.toString()}`;
}

interface Facts {
  location?: string;
  person?: string;
  notes?: string | undefined;
}

export function PlaceFacts({ location, person, notes }: Facts) {
  const row = (icon: Outline, words: ReactNode) => (
    <p className={styles.fact}>
      <Icon of={icon} /> <span className={styles.words}>{words}</span>
    </p>
  );
  return (
    <>
      {location && row(mapPin, <strong>{location}</strong>)}
      {person && row(user, person)}
      {notes && row(note, notes)}
    </>
  );
}

/** Opens the phone's map; renders nothing without a place. */
export function Directions(place: Parameters<typeof directionsAddress>[0]) {
  const { t } = useTranslation('worker');
  const address = directionsAddress(place);
  if (!address) return null;
  return (
    <ButtonAnchor wide icon={navigation} href={address} target="_blank" rel="noreferrer">
      {t('directions')}
    </ButtonAnchor>
  );
}
