import { deriveSecretKey, migrateDatabase } from '@mg/persistence/migrate';
import { runJob } from '@mg/runtime';

await runJob({
  name: 'migrate',
  required: ['DATABASE_URL'],
  async run({ environment, logger }) {
    const key = environment.ENCRYPTION_KEY;
    const { migrations, planes, missingRoles, reencryptedSecrets } = await migrateDatabase({
      url: environment.DATABASE_URL ?? '',
      passwords: {
        gateway: environment.GATEWAY_DATABASE_PASSWORD,
        billing: environment.BILLING_DATABASE_PASSWORD,
        'video-worker': environment.VIDEO_WORKER_DATABASE_PASSWORD,
        console: environment.CONSOLE_DATABASE_PASSWORD,
      },
      secretKey: key === undefined ? undefined : deriveSecretKey(key, environment.ENCRYPTION_KEY_PREVIOUS),
    });
    if (missingRoles.length > 0) {
      logger.warn(
        { missing: missingRoles },
        'this user may not create roles: have an administrator create them, or give the planes the DATABASE_URL of the owner',
      );
    }
    logger.info(
      { migrations, passwords: planes, reencrypted_secrets: reencryptedSecrets },
      'the database is up to date',
    );
  },
});
