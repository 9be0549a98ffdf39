/**
 * Packages of package-lock.json that node_modules lacks in that version.
 * @param {{ packages: Record<string, any> }} wanted package-lock.json
 * @param {{ packages: Record<string, any> } | undefined} installed node_modules/.package-lock.json, npm's own record
 * @returns {string[]} paths, e.g. "node_modules/zod"
 */
export function missingPackages(wanted, installed) {
  return Object.entries(wanted.packages)
    .filter(([path, entry]) => path.includes('node_modules/') && !entry.optional && !entry.peer)
    .filter(([path, entry]) => {
      const found = installed?.packages[path];
      return !found || found.version !== entry.version || found.integrity !== entry.integrity;
    })
    .map(([path]) => path);
}
