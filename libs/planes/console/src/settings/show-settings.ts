import { ENVIRONMENT, type Environment, type EnvironmentName } from '@mg/contract';
import { GROUP_OF, type SettingGroup } from './setting-groups.js';

/** Variables whose values may be seen. Whatever is not named here is secret until somebody says otherwise. */
const SHOWN: ReadonlySet<EnvironmentName> = new Set([
  'HOST',
  'GATEWAY_PORT',
  'CONSOLE_PORT',
  'BILLING_PORT',
  'VIDEO_WORKER_PORT',
  'DATA_DIR',
  'GATEWAY_CONFIG',
  'METRICS_ENABLED',
  'LOG_LEVEL',
  'INSTANCE_ID',
  'DRAIN_TIMEOUT_SECONDS',
  'BODY_BUDGET_MB',
  'SPOOL_BUDGET_MB',
  'LEASES',
  'GATEWAY_WORKERS',
  'BATCH_CONCURRENCY',
  'RETENTION_LOGS_DAYS',
  'RETENTION_HOLDS_DAYS',
  'RETENTION_JOURNAL_DAYS',
  'RETENTION_TASKS_DAYS',
  'RETENTION_WASTE_DAYS',
  'RETENTION_AUDIT_DAYS',
  'RETENTION_HOURLY_USAGE_DAYS',
  'RETENTION_DAILY_USAGE_DAYS',
  'RETENTION_REPLIES_HOURS',
  'RETENTION_RESPONSES_DAYS',
  'RETENTION_FILES_DAYS',
  'SANDBOX_ENABLED',
  'FETCH_MEDIA_URLS',
  'ALLOW_PRIVATE_URLS',
  'PUBLIC_URL',
  'CONSOLE_ORIGIN',
  'TRUSTED_PROXIES',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_REDIRECT_URL',
  'OIDC_ADMINISTRATOR_CLAIM',
  'OIDC_MEMBER_CLAIM',
  'OIDC_PROJECTS_CLAIM',
  'OIDC_SCOPES',
  'OTEL_SERVICE_NAME',
  'OTEL_TRACES_SAMPLER_ARG',
  'RESULT_STORE',
  'S3_ENDPOINT',
  'S3_REGION',
  'S3_BUCKET',
]);

interface SettingView {
  readonly name: string;
  readonly group: SettingGroup;
  readonly value: string | null;
  readonly hidden: boolean;
  readonly default: string;
  readonly meaning: string;
}

/** Every variable with its value in force; of a secret only that it is set. */
export function showSettings(environment: Environment): SettingView[] {
  return (Object.keys(ENVIRONMENT) as EnvironmentName[]).map((name) => ({
    name,
    group: GROUP_OF[name],
    value: showValue(name, environment[name]),
    hidden: !SHOWN.has(name),
    default: ENVIRONMENT[name].defaultText,
    meaning: ENVIRONMENT[name].meaning,
  }));
}

function showValue(name: EnvironmentName, value: Environment[EnvironmentName]): string | null {
  if (value === undefined) return null;
  return SHOWN.has(name) ? String(value) : 'set';
}
