/* global db, print */
/**
 * Gives each service a user with access to the database of its name only. Run it with mongosh as root, with
 * SERVICES="orders media" and the passwords in ORDERS_PASSWORD and MEDIA_PASSWORD. It is idempotent.
 */
/** Error codes of a server without roles, where all users may do everything. */
const NO_ROLES = new Set([59, 238]);

for (const service of process.env.SERVICES.split(' ')) {
  const pwd = process.env[`${service.toUpperCase()}_PASSWORD`];
  const database = db.getSiblingDB(service);
  if (database.getUser(service)) database.updateUser(service, { pwd });
  else database.createUser({ user: service, pwd, roles: [] });
  try {
    database.grantRolesToUser(service, [{ role: 'readWrite', db: service }]);
    print(`user ${service} may read and write database ${service} alone`);
  } catch (error) {
    if (!NO_ROLES.has(error.code)) throw error;
    print(`user ${service} is there; this server has no roles, so it may use other databases too`);
  }
}
