import { MAX_CAPTURE_SECONDS, refuse } from '@mg/contract';
import {
  type CapturedBody,
  type CapturedCallRow,
  ConsoleStore,
  type TokenRow,
} from '@mg/persistence/console';
import { Body, Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { recordChange } from '../audit/record-change.js';
import { ApiRoute } from '../http/api-route.js';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { found } from '../http/found.js';
import { listSchema } from '../http/list-schema.js';
import { type ListAnswer, toListAnswer, toPageRequest } from '../http/page-query.js';
import { RowIdPipe } from '../http/path-pipes.js';
import { Roles } from '../http/route-access.js';
import { tokenSchema } from '../tokens/token-schemas.js';
import { toTokenView, type TokenView } from '../tokens/token-view.js';
import {
  capturedBodiesSchema,
  capturedCallSchema,
  type CaptureQuery,
  captureQuerySchema,
  type CaptureSetting,
  captureSettingSchema,
} from './capture-schemas.js';
import { CapturedBodyReader } from './captured-body-reader.js';

type CapturedCallView = z.output<typeof capturedCallSchema>;
type CapturedBodiesView = z.output<typeof capturedBodiesSchema>;

/** Bodies of calls: what people have written is looked at by administrators alone, and every look is in the audit log. */
@ApiTags('captures')
@Controller('api/v1')
export class CapturesController {
  constructor(
    private readonly store: ConsoleStore,
    private readonly bodies: CapturedBodyReader,
  ) {}

  @Put('tokens/:id/capture')
  @Roles('administrator')
  @ApiRoute({ summary: 'Keep bodies of the calls of a token for a while', answer: tokenSchema })
  start(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
    @Body({ schema: captureSettingSchema }) { until, keep_seconds: captureSeconds }: CaptureSetting,
  ): Promise<TokenView> {
    const captureUntil = new Date(until);
    const aheadMs = captureUntil.getTime() - Date.now();
    if (aheadMs <= 0 || aheadMs > MAX_CAPTURE_SECONDS * 1_000) {
      throw refuse('invalid_request', 'capture_too_long', { param: 'until' });
    }
    return this.#change(caller, id, { captureSeconds, captureUntil });
  }

  @Delete('tokens/:id/capture')
  @Roles('administrator')
  @ApiRoute({ summary: 'Keep no more bodies of the calls of a token', answer: tokenSchema })
  stop(@CurrentCaller() caller: Caller, @Param('id', new RowIdPipe()) id: string): Promise<TokenView> {
    return this.#change(caller, id, { captureSeconds: null, captureUntil: null });
  }

  @Get('captures')
  @Roles('administrator')
  @ApiRoute({
    summary: 'Calls of which bodies are kept, newest first, without the bodies',
    answer: listSchema(capturedCallSchema),
  })
  async list(
    @Query({ schema: captureQuerySchema }) query: CaptureQuery,
  ): Promise<ListAnswer<CapturedCallView>> {
    const page = await this.store.captures.list(query.token_id, toPageRequest(query));
    return toListAnswer(page, toCallView);
  }

  @Get('captures/:request_id')
  @Roles('administrator')
  @ApiRoute({ summary: 'The bodies of a call; the look is in the audit log', answer: capturedBodiesSchema })
  async read(
    @CurrentCaller() caller: Caller,
    @Param('request_id', new RowIdPipe()) requestId: string,
  ): Promise<CapturedBodiesView> {
    const rows = await this.store.captures.find(requestId);
    const first = found(rows[0]);
    // Before anything is shown: a look that cannot be written down is none.
    await recordChange(this.store, caller, {
      action: 'capture.read',
      targetId: requestId,
      after: { token_id: first.tokenId },
    });
    return {
      request_id: requestId,
      token_id: first.tokenId,
      expires_at: first.expiresAt.toISOString(),
      parts: rows.map((row) => ({ ...toPartView(row), text: this.bodies.read(row) })),
    };
  }

  #change(
    caller: Caller,
    id: string,
    change: Pick<TokenRow, 'captureSeconds' | 'captureUntil'>,
  ): Promise<TokenView> {
    return this.store.transaction(async (store) => {
      const before = toTokenView(found(await store.tokens.findLocked(caller.scope, id)));
      await store.tokens.update(caller.scope, id, change);
      const after = toTokenView(found(await store.tokens.find(caller.scope, id)));
      await recordChange(store, caller, { action: 'token.capture', targetId: id, before, after });
      return after;
    });
  }
}

function toCallView(row: CapturedCallRow): CapturedCallView {
  return {
    request_id: row.requestId,
    token_id: row.tokenId,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    parts: row.parts.map(toPartView),
  };
}

function toPartView({
  part,
  contentType,
  bytes,
  truncated,
}: Pick<CapturedBody, 'part' | 'contentType' | 'bytes' | 'truncated'>): CapturedCallView['parts'][number] {
  return { part, content_type: contentType, bytes, truncated };
}
