import { Field, SelectField } from '../../design/components/Field.tsx';
import { Choices } from './Choices.tsx';
import type { Filter } from './filters.ts';
import styles from './List.module.css';
import { SearchBox } from './SearchBox.tsx';
import type { Listed } from './use-list.ts';

type Narrow = Listed<unknown>['narrow'];

/** A control for each filter of a list, as its parameter accepts it. */
export function Filters({
  list: { filters, narrow },
}: {
  list: Pick<Listed<unknown>, 'filters' | 'narrow'>;
}) {
  if (filters.length === 0) return null;
  const valueOf = (name: string) => filters.find((one) => one.name === name)?.value || undefined;
  return (
    <div className={styles.filters}>
      {filters.map((filter) => (
        <Control key={filter.name} filter={filter} narrow={narrow} valueOf={valueOf} />
      ))}
    </div>
  );
}

interface ControlProps {
  filter: Filter;
  narrow: Narrow;
  valueOf: (name: string) => string | undefined;
}

function Control({ filter: { name, at, accepts, label, choices, value }, narrow, valueOf }: ControlProps) {
  if (accepts.kind === 'words')
    return (
      <SearchBox
        label={label}
        value={value}
        maxLength={accepts.maxLength}
        onSearch={(words, replace) => narrow({ [at]: words }, replace)}
      />
    );
  if (accepts.kind === 'day' || accepts.kind === 'instant')
    return (
      <Field
        label={label}
        type="date"
        value={value}
        min={name === 'to' ? valueOf('from') : undefined}
        max={name === 'from' ? valueOf('to') : undefined}
        onChange={(event) => narrow({ [at]: event.target.value })}
      />
    );
  if (accepts.kind === 'yesOrNo' || accepts.byDefault !== undefined)
    return (
      <div className={styles.press}>
        <Choices
          label={label}
          chosen={value}
          choices={choices.map((choice) => ({ name: choice.value, text: choice.text }))}
          onChoose={(chosen) =>
            narrow({ [at]: accepts.kind === 'choice' && chosen === accepts.byDefault ? null : chosen })
          }
        />
      </div>
    );
  return (
    <SelectField label={label} value={value} onChange={(event) => narrow({ [at]: event.target.value })}>
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.text}
        </option>
      ))}
    </SelectField>
  );
}
