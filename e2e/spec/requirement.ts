/** A test, by its file from the root of the repository and by its name there. */
export interface Reference {
  file: string;
  name: string;
}

/** One thing that the product specification asks for, in our own words; its fixed messages are quoted. */
export interface Requirement {
  says: string;
  shownBy: readonly Reference[];
}

export interface Section {
  title: string;
  requirements: readonly Requirement[];
}

/** `landing('a test', 'another')`: tests of one file. */
export const testsIn =
  (file: string) =>
  (...names: readonly string[]): Reference[] =>
    names.map((name) => ({ file, name }));

export const shown = (says: string, ...shownBy: readonly (readonly Reference[])[]): Requirement => ({
  says,
  shownBy: shownBy.flat(),
});
