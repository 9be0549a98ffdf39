interface LockFile {
  packages: Record<string, object>;
}
export function missingPackages(wanted: LockFile, installed: LockFile | undefined): string[];
