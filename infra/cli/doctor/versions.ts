import { VERSION } from '@arboleda/contracts/version.ts';
import { readFolderVersion } from '../embedded/folder-version.ts';
import type { Finding } from './settings.ts';

/** The version of this code, and that of the data folder. */
export function versionLine(dataDir: string | undefined): string {
  const version = dataDir === undefined ? undefined : folderVersion(dataDir);
  if (version === undefined) return `Arboleda ${VERSION}.`;
  return version === VERSION
    ? `Arboleda ${VERSION}. ${dataDir} is of the same version.`
    : `Arboleda ${VERSION}. ${dataDir} is of version ${version}: npm start upgrades it to ${VERSION}.`;
}

/** A damaged version is a finding of the folder. */
function folderVersion(dataDir: string): string | undefined {
  try {
    return readFolderVersion(dataDir);
  } catch {
    return undefined;
  }
}

/** @param answer of /api/version; a version that does not tell is older than that call */
export function runningVersionFindings(answer: string): Finding[] {
  const version = /"version":"([^"]+)"/.exec(answer)?.[1];
  return version === undefined || version === VERSION
    ? []
    : [`Version ${version} runs, and the code here is ${VERSION}: stop it and start this one.`];
}
