import styles from './Logo.module.css';

/** A ceiba, a wax palm and a guayacán on one ground line. */
export function Logo({ name }: { name: string }) {
  return (
    <span className={styles.logo}>
      <svg className={styles.mark} viewBox="0 0 32 30" aria-hidden="true">
        <path className={styles.line} d="M1 28.5h30M8 27V15M16 27V9M25 27V16" />
        <path
          className={styles.frond}
          d="M16 9C14 4.5 10.500 4 8.500 5.500M16 9C18 4.500 21.500 4 23.500 5.500M16 9C15 4 13.500 2 11.500 1.500M16 9C17 4 18.500 2 20.500 1.500M16 9V2"
        />
        <circle className={styles.crown} cx="7.500" cy="13" r="6" />
        <circle className={styles.bloom} cx="25" cy="15" r="5.500" />
      </svg>
      <span className={styles.name}>{name}</span>
    </span>
  );
}
