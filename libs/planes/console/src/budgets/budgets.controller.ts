import { ConsoleStore } from '@mg/persistence/console';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiRoute } from '../http/api-route.js';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { found } from '../http/found.js';
import { RowIdPipe } from '../http/path-pipes.js';
import { AnyRole, Roles } from '../http/route-access.js';
import { budgetsAnswerSchema, type BudgetsQuery, budgetsQuerySchema } from './budget-schemas.js';
import { type BudgetView, toBudgetView } from './budget-view.js';

interface BudgetsAnswer {
  readonly data: BudgetView[];
}

/** How far budgets are spent. They are set together with their token, wallet or user. */
@ApiTags('budgets')
@Controller('api/v1')
export class BudgetsController {
  constructor(private readonly store: ConsoleStore) {}

  @Get('budgets')
  @AnyRole()
  @ApiRoute({
    summary: 'Budgets of several keys, wallets and users; of those that the caller may not see, none',
    answer: budgetsAnswerSchema,
  })
  async ofMany(
    @CurrentCaller() caller: Caller,
    @Query({ schema: budgetsQuerySchema }) { ids }: BudgetsQuery,
  ): Promise<BudgetsAnswer> {
    return this.#list(await this.#keepVisible(caller, ids));
  }

  @Get('tokens/:id/budgets')
  @AnyRole()
  @ApiRoute({ summary: "An API key's budgets and what is spent of them", answer: budgetsAnswerSchema })
  async ofToken(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
  ): Promise<BudgetsAnswer> {
    return this.#list([found(await this.store.tokens.find(caller.scope, id)).id]);
  }

  @Get('wallets/:id/budgets')
  @AnyRole()
  @ApiRoute({ summary: "A wallet's budgets and what is spent of them", answer: budgetsAnswerSchema })
  async ofWallet(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
  ): Promise<BudgetsAnswer> {
    return this.#list([found(await this.store.wallets.find(caller.scope, id)).id]);
  }

  @Get('users/:id/budgets')
  @Roles('administrator')
  @ApiRoute({ summary: "A user's budgets and what is spent of them", answer: budgetsAnswerSchema })
  async ofUser(@Param('id', new RowIdPipe()) id: string): Promise<BudgetsAnswer> {
    return this.#list([found(await this.store.users.findById(id)).id]);
  }

  /** Users' budgets are for administrators, as users are. */
  async #keepVisible(caller: Caller, ids: readonly string[]): Promise<string[]> {
    if (caller.role === 'administrator') return [...ids];
    const page = { limit: ids.length, after: undefined };
    const [tokens, wallets] = await Promise.all([
      this.store.tokens.list(caller.scope, page, { ids }),
      this.store.wallets.list(caller.scope, page, { ids }),
    ]);
    return [...tokens.rows, ...wallets.rows].map(({ id }) => id);
  }

  async #list(subjectIds: readonly string[]): Promise<BudgetsAnswer> {
    return { data: (await this.store.budgets.list(subjectIds)).map(toBudgetView) };
  }
}
