import { useTranslation } from 'react-i18next';
import { SelectField } from '../../design/components/Field.tsx';
import { Choices } from '../desk/Choices.tsx';
import desk from '../desk/desk.module.css';
import { ListState } from '../desk/ListState.tsx';
import { AFTER, Pages } from '../desk/Pages.tsx';
import { Panel } from '../desk/Panel.tsx';
import { choiceOf, useSearch } from '../desk/use-search.ts';
import type { PanelProps } from '../panel.ts';
import { PhotoCard } from './PhotoCard.tsx';
import { PhotoDialog } from './PhotoDialog.tsx';
import { FLAGS, SHOWN, usePhotos } from './photos.ts';
import styles from './Photos.module.css';

/** Photos of which something deserves a look; none of it hides them by itself. */
export function PhotosPanel({ session: { call } }: PanelProps) {
  const { t } = useTranslation('desk');
  const search = useSearch();
  const flag = choiceOf(search.get('flag'), FLAGS);
  const hidden = choiceOf(search.get('hidden'), SHOWN);
  const query = usePhotos(call, { flag, hidden, cursor: search.get(AFTER) ?? undefined });
  const photos = query.data?.photos ?? [];
  const chosen = photos.find(({ _id }) => _id === search.get('photo'));
  return (
    <Panel title={t('photos.title')}>
      <div className={desk.filters}>
        <SelectField
          label={t('photos.why')}
          value={flag}
          onChange={(event) => search.set({ flag: event.target.value, [AFTER]: null })}
        >
          {FLAGS.map((name) => (
            <option key={name} value={name}>
              {name === '' ? t('photos.anyFlag') : t(`photos.flags.${name}`)}
            </option>
          ))}
        </SelectField>
        <div className={desk.press}>
          <Choices
            label={t('photos.filter')}
            chosen={hidden}
            choices={SHOWN.map((name) => ({ name, text: t(`photos.shown.${name}`) }))}
            onChoose={(name) => search.set({ hidden: name === 'all' ? null : name, [AFTER]: null })}
          />
        </div>
      </div>
      <ListState
        query={query}
        loading={t('photos.loading')}
        empty={
          photos.length > 0
            ? undefined
            : {
                title: t('photos.empty'),
                text: flag || hidden !== 'all' ? t('list.emptyFilter') : t('photos.emptyText'),
              }
        }
      >
        <ul className={styles.grid}>
          {photos.map((photo) => (
            <li key={photo._id}>
              <PhotoCard call={call} photo={photo} onOpen={() => search.set({ photo: photo._id })} />
            </li>
          ))}
        </ul>
        <Pages next={query.data?.nextCursor} />
      </ListState>
      {chosen && (
        <PhotoDialog
          key={chosen._id}
          call={call}
          photo={chosen}
          onClose={() => search.set({ photo: null }, { replace: true })}
        />
      )}
    </Panel>
  );
}
