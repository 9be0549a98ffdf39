/* global db, print */
/**
 * Gives each service a user with access to the database of its name only. Run it with mongosh as root, with
 * SERVICES="orders media" and the passwords in ORDERS_PASSWORD and MEDIA_PASSWORD. With MONITORING_PASSWORD, the user
 * "monitoring" may read the server's figures. It is idempotent.
 */
/** Error codes of a server without roles, where all users may do everything. */
const NO_ROLES = new Set([59, 238]);

function giveUser(user, database, pwd, roles, sentence) {
  if (database.getUser(user)) database.updateUser(user, { pwd });
  else database.createUser({ user, pwd, roles: [] });
  try {
    database.grantRolesToUser(user, roles);
    print(`user ${user} ${sentence}`);
  } catch (error) {
    if (!NO_ROLES.has(error.code)) throw error;
    print(`user ${user} is there; this server has no roles, so it may use all databases`);
  }
}

for (const service of process.env.SERVICES.split(' ')) {
  const pwd = process.env[`${service.toUpperCase()}_PASSWORD`];
  const roles = [{ role: 'readWrite', db: service }];
  giveUser(service, db.getSiblingDB(service), pwd, roles, `may read and write database ${service} alone`);
}

const { MONITORING_PASSWORD } = process.env;
if (MONITORING_PASSWORD) {
  const roles = [
    { role: 'clusterMonitor', db: 'admin' },
    { role: 'read', db: 'local' },
  ];
  giveUser('monitoring', db.getSiblingDB('admin'), MONITORING_PASSWORD, roles, 'may read figures alone');
}
