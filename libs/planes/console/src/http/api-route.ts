import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiResponse } from '@nestjs/swagger';
import { z } from 'zod';

interface RouteDescription<Answer> {
  readonly summary: string;
  /** Schema of the answer; without one the route answers without a body. */
  readonly answer?: z.ZodType<Answer>;
  /** 200 by default. */
  readonly status?: number;
}

type Handler<Answer> = (...parameters: never[]) => Answer | Promise<Answer>;

/**
 * What a route answers: its status, and for the OpenAPI document its summary and schema. A handler that answers anything
 * else does not compile. What a route takes is said by the schemas of its parameters.
 */
export function ApiRoute<Answer = void>({ summary, answer, status = 200 }: RouteDescription<Answer>) {
  const described = answer
    ? { description: 'The answer.', standardSchema: answer }
    : { description: 'Done.' };
  const apply = applyDecorators(
    HttpCode(status),
    ApiOperation({ summary }),
    ApiResponse({ status, ...described }),
  );
  return <Method extends Handler<Answer>>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => apply(target, key, descriptor);
}

/** A route that writes its answer by itself, as text of a media type. */
export function ApiDownload(summary: string, mediaType: string): MethodDecorator {
  return applyDecorators(
    ApiOperation({ summary }),
    ApiProduces(mediaType),
    ApiResponse({ status: 200, description: 'The answer.', standardSchema: z.string() }),
  );
}
