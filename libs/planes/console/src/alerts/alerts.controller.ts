import { newId, readPhrases, refuse } from '@mg/contract';
import { type AlertRow, type AlertVia, ConsoleStore, type DeliveryState } from '@mg/persistence/console';
import { errorMessage } from '@mg/runtime';
import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { recordChange } from '../audit/record-change.js';
import { AttemptLimit } from '../auth/attempt-limit.js';
import { ApiRoute } from '../http/api-route.js';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { listSchema } from '../http/list-schema.js';
import { type ListAnswer, toListAnswer, toPageRequest } from '../http/page-query.js';
import { Roles } from '../http/route-access.js';
import { AlertDestinations, type Destinations } from './alert-destinations.js';
import {
  type AlertQuery,
  alertQuerySchema,
  alertSchema,
  alertSecretSchema,
  type AlertSettingsPatch,
  alertSettingsPatchSchema,
  alertSettingsSchema,
  alertTestAnswerSchema,
  type AlertTestRequest,
  alertTestSchema,
} from './alert-schemas.js';
import { AlertSender } from './alert-sender.js';
import { AlertSettingsService, type AlertSettingsView } from './alert-settings-service.js';
import { describeAlert, showFacts, writeTest } from './describe-alert.js';

type AlertView = z.output<typeof alertSchema>;
type TestAnswer = z.output<typeof alertTestAnswerSchema>;

const TESTS_PER_MINUTE = { attempts: 10, windowMs: 60_000 };

@ApiTags('alerts')
@Controller('api/v1/alerts')
export class AlertsController {
  readonly #tests = new AttemptLimit(TESTS_PER_MINUTE);

  constructor(
    private readonly store: ConsoleStore,
    private readonly settings: AlertSettingsService,
    private readonly destinations: AlertDestinations,
    private readonly sender: AlertSender,
  ) {}

  @Get()
  @Roles('administrator')
  @ApiRoute({ summary: 'Alerts, newest first', answer: listSchema(alertSchema) })
  async list(@Query({ schema: alertQuerySchema }) query: AlertQuery): Promise<ListAnswer<AlertView>> {
    const resolved = query.state === undefined ? undefined : query.state === 'resolved';
    const page = await this.store.alerts.list({ resolved, kind: query.kind }, toPageRequest(query));
    const deliveries = await this.store.alerts.listDeliveries(page.rows.map(({ id }) => id));
    const byAlert = Map.groupBy(deliveries, ({ alertId }) => alertId);
    return toListAnswer(page, (alert) => toAlertView(alert, byAlert.get(alert.id) ?? []));
  }

  @Get('settings')
  @Roles('administrator')
  @ApiRoute({ summary: 'What operators are alerted of, and where to', answer: alertSettingsSchema })
  show(): Promise<AlertSettingsView> {
    return this.settings.show();
  }

  @Patch('settings')
  @Roles('administrator')
  @ApiRoute({ summary: 'Change what operators are alerted of, and where to', answer: alertSettingsSchema })
  change(
    @CurrentCaller() caller: Caller,
    @Body({ schema: alertSettingsPatchSchema }) body: AlertSettingsPatch,
  ): Promise<AlertSettingsView> {
    return this.settings.change(caller, body);
  }

  @Get('secret')
  @Roles('administrator')
  @ApiRoute({ summary: 'What webhooks of alerts are signed with', answer: alertSecretSchema })
  async showSecret(@CurrentCaller() caller: Caller): Promise<z.output<typeof alertSecretSchema>> {
    await recordChange(this.store, caller, { action: 'alert_secret.read', targetId: 'alerts' });
    return { secrets: [...this.destinations.secrets] };
  }

  @Post('test')
  @Roles('administrator')
  @ApiRoute({ summary: 'Send a test now, and say how it went', answer: alertTestAnswerSchema })
  async test(
    @CurrentCaller() caller: Caller,
    @Body({ schema: alertTestSchema }) body: AlertTestRequest,
  ): Promise<TestAnswer> {
    const retryAfter = this.#tests.count(caller.id);
    if (retryAfter !== undefined) {
      throw refuse('rate_limited', 'too_many_tests', { retryAfter, values: [retryAfter] });
    }
    const destinations = await this.sender.open();
    const vias = (['webhook', 'email'] as const).filter(
      (via) => destinations[via] && (body.via === undefined || body.via === via),
    );
    const results = await Promise.all(vias.map((via) => this.#tryToSend(via, destinations)));
    await recordChange(this.store, caller, {
      action: 'alert.test',
      targetId: 'alerts',
      after: Object.fromEntries(results.map(({ via, ok }) => [via, ok ? 'sent' : 'failed'])),
    });
    return { results };
  }

  async #tryToSend(via: AlertVia, destinations: Destinations): Promise<TestAnswer['results'][number]> {
    const startedMs = performance.now();
    const failure = await this.sender
      .send({ id: newId(), via, message: { ...writeTest() } }, destinations)
      .then(() => undefined)
      .catch((error: unknown) => errorMessage(error));
    return {
      via,
      ok: failure === undefined,
      latency_ms: Math.round(performance.now() - startedMs),
      message: failure ?? 'sent',
      message_phrases: readPhrases(failure ?? ''),
    };
  }
}

function toAlertView(alert: AlertRow, deliveries: readonly DeliveryState[]): AlertView {
  return {
    id: alert.id,
    kind: alert.kind,
    subject: alert.subject,
    level: alert.level,
    text: describeAlert(alert),
    facts: showFacts(alert.facts),
    reason_phrases: readPhrases(String(alert.facts['reason'] ?? '')),
    fired_at: alert.firedAt.toISOString(),
    resolved_at: alert.resolvedAt?.toISOString() ?? null,
    deliveries: deliveries.map(({ via, event, attempts, deliveredAt, nextAttemptAt, lastError }) => ({
      via,
      event,
      state: deliveredAt ? 'delivered' : nextAttemptAt ? 'waiting' : 'given_up',
      attempts,
      error: lastError,
      error_phrases: readPhrases(lastError ?? ''),
    })),
  };
}
