import type { DataSource, EntityManager } from 'typeorm';
import {
  findEmptyWallets,
  findFailingChannels,
  findLedgerDrift,
  findOldQueues,
  findReachedBudgets,
  type FoundConditions,
} from '../alerts/find-conditions.js';
import type { UsageQuestion } from '../usage/usage-facts.js';
import { listUsage, type UsagePoint, type UsageSeriesQuestion } from '../usage/usage-series.js';
import { sumUsage, type UsageGroup, type UsageSum } from '../usage/usage-sums.js';
import { AttemptFiguresRepository } from '../attempts/attempt-figures-repository.js';
import { AlertRepository } from './alert-repository.js';
import { AttemptRepository } from './attempt-repository.js';
import { AuditRepository } from './audit-repository.js';
import { BudgetRepository } from './budget-repository.js';
import { CaptureRepository } from './capture-repository.js';
import { ChannelRepository } from './channel-repository.js';
import { EntryRepository } from './entry-repository.js';
import { InvitationRepository } from './invitation-repository.js';
import { ModelRepository } from './model-repository.js';
import type { OwnerScope } from './owner-scope.js';
import { ProjectGroupRepository } from './project-group-repository.js';
import { ProjectRepository } from './project-repository.js';
import { PriceImportRepository } from './price-import-repository.js';
import { RedemptionRepository } from './redemption-repository.js';
import { RequestLogRepository } from './request-log-repository.js';
import { SessionRepository } from './session-repository.js';
import { SsoRepository } from './sso-repository.js';
import { SystemRepository } from '../planes/system-repository.js';
import { type ChannelAttempts, countChannelAttempts } from '../usage/channel-attempts.js';
import { TaskRepository } from './task-repository.js';
import { TokenRepository } from './token-repository.js';
import { TotpRepository } from './totp-repository.js';
import { UserRepository } from './user-repository.js';
import { WalletRepository } from './wallet-repository.js';
import { WasteRepository } from './waste-repository.js';

/** Any number; consoles that apply configuration at once queue up behind it. */
const CONFIGURATION_LOCK = 7_204_002;

/** Looks for each kind of thing that operators are alerted of. */
export interface AlertConditions {
  failingChannels(leastFailed: number): Promise<FoundConditions>;
  /** @param below nano-dollars. */
  emptyWallets(below: bigint): Promise<FoundConditions>;
  reachedBudgets(): Promise<FoundConditions>;
  ledgerDrift(): Promise<FoundConditions>;
  oldQueues(seconds: number): Promise<FoundConditions>;
}

/** The database as the console uses it: one repository for each kind of row, all on one connection or transaction. */
export class ConsoleStore {
  readonly users: UserRepository;
  readonly sessions: SessionRepository;
  readonly totp: TotpRepository;
  readonly sso: SsoRepository;
  readonly attempts: AttemptRepository;
  readonly attemptFigures: AttemptFiguresRepository;
  readonly alerts: AlertRepository;
  readonly audit: AuditRepository;
  readonly system: SystemRepository;
  readonly redemptions: RedemptionRepository;
  readonly priceImports: PriceImportRepository;
  readonly wallets: WalletRepository;
  readonly entries: EntryRepository;
  readonly tokens: TokenRepository;
  readonly channels: ChannelRepository;
  readonly models: ModelRepository;
  readonly logs: RequestLogRepository;
  readonly tasks: TaskRepository;
  readonly waste: WasteRepository;
  readonly budgets: BudgetRepository;
  readonly captures: CaptureRepository;
  readonly projects: ProjectRepository;
  readonly projectGroups: ProjectGroupRepository;
  readonly invitations: InvitationRepository;

  constructor(private readonly manager: EntityManager) {
    this.users = new UserRepository(manager);
    this.sessions = new SessionRepository(manager);
    this.totp = new TotpRepository(manager);
    this.sso = new SsoRepository(manager);
    this.attempts = new AttemptRepository(manager);
    this.attemptFigures = new AttemptFiguresRepository(manager);
    this.alerts = new AlertRepository(manager);
    this.audit = new AuditRepository(manager);
    this.system = new SystemRepository(manager);
    this.redemptions = new RedemptionRepository(manager);
    this.priceImports = new PriceImportRepository(manager);
    this.wallets = new WalletRepository(manager);
    this.entries = new EntryRepository(manager);
    this.tokens = new TokenRepository(manager);
    this.channels = new ChannelRepository(manager);
    this.models = new ModelRepository(manager);
    this.logs = new RequestLogRepository(manager);
    this.tasks = new TaskRepository(manager);
    this.waste = new WasteRepository(manager);
    this.budgets = new BudgetRepository(manager);
    this.captures = new CaptureRepository(manager);
    this.projects = new ProjectRepository(manager);
    this.projectGroups = new ProjectGroupRepository(manager);
    this.invitations = new InvitationRepository(manager);
  }

  static over(database: DataSource): ConsoleStore {
    return new ConsoleStore(database.manager);
  }

  /** Runs work whose writes take effect together or not at all. */
  transaction<Result>(work: (store: ConsoleStore) => Promise<Result>): Promise<Result> {
    return this.manager.transaction((manager) => work(new ConsoleStore(manager)));
  }

  /** Runs work that no other console does at the same time. */
  async exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    const runner = this.manager.dataSource.createQueryRunner();
    try {
      // The other console may apply a long file: waiting for it is no sign of trouble.
      await runner.query('set lock_timeout = 0');
      await runner.query('select pg_advisory_lock($1)', [CONFIGURATION_LOCK]);
      return await work();
    } finally {
      await runner.query('select pg_advisory_unlock($1)', [CONFIGURATION_LOCK]);
      await runner.query('reset lock_timeout');
      await runner.release();
    }
  }

  /** @param limit keys at most. */
  sumUsage(
    scope: OwnerScope,
    group: UsageGroup,
    question: UsageQuestion,
    limit?: number,
  ): Promise<UsageSum[]> {
    return sumUsage(this.manager, scope, group, question, limit);
  }

  listUsage(scope: OwnerScope, question: UsageSeriesQuestion): Promise<UsagePoint[]> {
    return listUsage(this.manager, scope, question);
  }

  /** By the channel's name. */
  countChannelAttempts(): Promise<Map<string, ChannelAttempts>> {
    return countChannelAttempts(this.manager);
  }

  /** What operators may want alerts for now. */
  get conditions(): AlertConditions {
    return {
      failingChannels: (leastFailed) => findFailingChannels(this.manager, leastFailed),
      emptyWallets: (below) => findEmptyWallets(this.manager, below),
      reachedBudgets: () => findReachedBudgets(this.manager),
      ledgerDrift: () => findLedgerDrift(this.manager),
      oldQueues: (seconds) => findOldQueues(this.manager, seconds),
    };
  }

  /** Rejects when the database does not answer. */
  async ping(): Promise<void> {
    await this.manager.query('select 1');
  }
}
