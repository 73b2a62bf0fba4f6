import {
  BILLING_PATTERN,
  type CreditLimitReply,
  type HeartbeatReply,
  type HoldOpenReply,
  type HoldReply,
  type LeaseOpenReply,
  type LeaseReturnReply,
  omitUndefined,
  type TaskChargeReply,
  type TaskEndReply,
  type TaskOpenReply,
  type TopUpReply,
  type WalletOpenReply,
} from '@mg/contract';
import { type HoldDecision, ProcessLedger, WalletLedger } from '@mg/persistence/billing';
import { Controller, UseFilters } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { BillingErrorFilter } from './billing-error.filter.js';
import { HoldService } from './hold-service.js';
import { leaseOpenSchema, leaseReturnSchema } from './lease-messages.js';
import { LeaseService } from './lease-service.js';
import {
  creditLimitSchema,
  heartbeatSchema,
  holdOpenSchema,
  readMessage,
  topUpSchema,
  walletOpenSchema,
} from './messages.js';
import { Sweeper } from './sweeper.js';
import { TaskService } from './task-service.js';
import { taskChargeSchema, taskEndSchema, taskOpenSchema } from './task-messages.js';

/** The requests of other planes to billing. Each may be sent twice and is answered the same. */
@Controller()
@UseFilters(BillingErrorFilter)
export class BillingController {
  constructor(
    private readonly ledger: WalletLedger,
    private readonly processes: ProcessLedger,
    private readonly holds: HoldService,
    private readonly tasks: TaskService,
    private readonly sweeper: Sweeper,
    private readonly leases: LeaseService,
  ) {}

  @MessagePattern(BILLING_PATTERN.holdOpen)
  async openHolds(@Payload() payload: unknown): Promise<HoldOpenReply> {
    const decisions = await this.holds.open(readMessage(holdOpenSchema, payload));
    return { outcomes: decisions.map(toReply) };
  }

  @MessagePattern(BILLING_PATTERN.leaseOpen)
  async openLeases(@Payload() payload: unknown): Promise<LeaseOpenReply> {
    const { owner, leases } = readMessage(leaseOpenSchema, payload);
    const outcomes = await this.leases.open(owner, leases);
    return {
      outcomes: outcomes.map((outcome) =>
        'granted' in outcome ? { granted: outcome.granted.toString() } : outcome,
      ),
    };
  }

  @MessagePattern(BILLING_PATTERN.leaseReturn)
  async takeLeasesBack(@Payload() payload: unknown): Promise<LeaseReturnReply> {
    const { owner, leases } = readMessage(leaseReturnSchema, payload);
    return { returned: await this.leases.takeBack(owner, leases) };
  }

  @MessagePattern(BILLING_PATTERN.walletOpen)
  async openWallet(@Payload() payload: unknown): Promise<WalletOpenReply> {
    return { wallet_id: await this.ledger.openWallet(readMessage(walletOpenSchema, payload)) };
  }

  @MessagePattern(BILLING_PATTERN.topUp)
  async topUp(@Payload() payload: unknown): Promise<TopUpReply> {
    const { entryId, balance } = await this.ledger.topUp(readMessage(topUpSchema, payload));
    return { entry_id: entryId, balance: balance.toString() };
  }

  @MessagePattern(BILLING_PATTERN.creditLimit)
  async limitCredit(@Payload() payload: unknown): Promise<CreditLimitReply> {
    const { walletId, creditLimit } = readMessage(creditLimitSchema, payload);
    return { earlier: (await this.ledger.limitCredit(walletId, creditLimit)).toString() };
  }

  @MessagePattern(BILLING_PATTERN.taskOpen)
  async openTask(@Payload() payload: unknown): Promise<TaskOpenReply> {
    return { outcome: toReply(await this.tasks.open(readMessage(taskOpenSchema, payload))) };
  }

  @MessagePattern(BILLING_PATTERN.taskCharge)
  async chargeTask(@Payload() payload: unknown): Promise<TaskChargeReply> {
    const charged = await this.tasks.charge(readMessage(taskChargeSchema, payload));
    return { charged: charged.toString() };
  }

  @MessagePattern(BILLING_PATTERN.taskEnd)
  async endTask(@Payload() payload: unknown): Promise<TaskEndReply> {
    const outcome = await this.tasks.end(readMessage(taskEndSchema, payload));
    return { ...outcome, charged: outcome.charged.toString() };
  }

  /** A new epoch of a process proves the one before it dead, so its holds are ended at once. */
  @MessagePattern(BILLING_PATTERN.heartbeat)
  async noteHeartbeat(@Payload() payload: unknown): Promise<HeartbeatReply> {
    const { renew, reprice, ...owner } = readMessage(heartbeatSchema, payload);
    const began = await this.processes.recordHeartbeat(owner);
    if (began) void this.sweeper.endEarlierEpochs();
    return {
      renewed: renew.length === 0 ? [] : await this.ledger.renewHolds(owner, renew),
      ...omitUndefined({
        repriced: reprice
          ? await this.ledger.repriceHold(owner, reprice.id, reprice.price_version_id)
          : undefined,
      }),
    };
  }

  @MessagePattern(BILLING_PATTERN.ping)
  async ping(): Promise<Record<string, never>> {
    await this.ledger.ping();
    return {};
  }
}

function toReply(decision: HoldDecision): HoldReply {
  if ('granted' in decision) return { granted: decision.granted.toString() };
  if ('refused' in decision) return decision;
  if ('busy' in decision) return { failed: 'service_unavailable', message: decision.message, busy: true };
  return { failed: decision.failed, message: decision.message };
}
