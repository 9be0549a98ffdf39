import { Badge } from '../../design/components/Badge.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Field, SelectField, TextField } from '../../design/components/Field.tsx';
import { Money } from '../../design/components/Money.tsx';
import styles from './DesignPage.module.css';
import { COLOURS, type SAMPLES } from './samples.ts';
import { Section } from './Section.tsx';

type Say = (typeof SAMPLES)['en'];

/** Type, color, buttons, fields and badges. */
export function Basics({ say }: { say: Say }) {
  return (
    <>
      <Section title={say.type}>
        <div className={styles.stack}>
          <p className={`display ${styles.serif}`}>{say.display}</p>
          <p className={`section-title ${styles.serif}`}>{say.page}</p>
          <p className={`sub-title ${styles.serif}`}>{say.sub}</p>
          <Money amountMinor={8_230_000} currency="COP" size="huge" />
          <p className="lead">{say.lead}</p>
          <p>{say.body}</p>
          <p className="small quiet">{say.emailHint}</p>
          <p>
            <i lang="la">Ceroxylon quindiuense</i>
          </p>
        </div>
      </Section>
      <Section title={say.colour}>
        <ul className={styles.colours}>
          {COLOURS.map((name) => (
            <li key={name} className="least">
              <span className={styles.swatch} style={{ background: `var(--${name})` }} />
              {name}
            </li>
          ))}
        </ul>
      </Section>
      <Section title={say.buttons}>
        <Button look="accent">{say.plant}</Button>
        <Button look="accent" working={say.confirming}>
          {say.pay}
        </Button>
        <Button disabled>{say.pay}</Button>
        <Button>{say.receipt}</Button>
        <Button look="destructive">{say.reject}</Button>
        <Button look="solid-destructive">{say.reject}</Button>
        <Button look="text">{say.cancel}</Button>
        <Button size="small">{say.receipt}</Button>
      </Section>
      <Section title={say.fields}>
        <div className={styles.fields}>
          <Field label={say.email} hint={say.emailHint} defaultValue="sofia.rueda@correo.co" />
          <Field label={say.phone} note={say.optional} type="tel" />
          <Field label={say.email} error={say.emailWrong} defaultValue="sofia.rueda@correo" />
          <Field label={say.order} readOnly value="7F3A9C" />
          <SelectField label={say.region}>
            <option>{'Quindío'}</option>
            <option>{'Boyacá'}</option>
          </SelectField>
          <TextField label={say.notes} />
        </div>
      </Section>
      <Section title={say.status}>
        <Badge of="pending">{say.paid}</Badge>
        <Badge of="assigned">{say.assigned}</Badge>
        <Badge of="planted">{say.planted}</Badge>
        <Badge of="completed">{say.done}</Badge>
        <Badge of="to-verify">{say.toVerify}</Badge>
        <Badge of="approved">{say.approved}</Badge>
        <Badge of="rejected">{say.rejected}</Badge>
      </Section>
    </>
  );
}
