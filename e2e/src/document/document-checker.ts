import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Exchange } from './observe-exchanges.js';

type Content = Readonly<Record<string, { readonly schema?: object }>>;

interface Operation {
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

interface Place {
  readonly name: string;
  readonly method: string;
  readonly pattern: RegExp;
  readonly operation: Operation;
}

/** Holds real calls against an OpenAPI document: their answers always, their requests where they were answered with 2xx. */
export class DocumentChecker {
  /** What differs, each difference once, with the first call that shows it. */
  readonly problems = new Map<string, string>();
  /** How many bodies were compared, by operation and status. */
  readonly compared = new Map<string, number>();
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false });
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly places: readonly Place[];

  constructor(document: OpenApiDocument) {
    this.ajv.addSchema({ $id: 'document', components: document.components });
    this.places = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        pattern: toPattern(path),
        operation,
      })),
    );
  }

  /** Compares one call. Paths that the document does not name are looked for elsewhere. */
  check({ method, path, sent, status, contentType, received }: Exchange): void {
    const place = this.find(method, path);
    if (!place) return;
    const { name, operation } = place;
    const key = `${name} ${status}`;
    const answer = operation.responses[String(status)];
    if (!answer) return this.report(key, 'the status is not in the document', received);
    if (received !== undefined && received !== '')
      this.checkAnswer(key, answer.content ?? {}, contentType, received);
    const wanted = operation.requestBody?.content['application/json']?.schema;
    if (status < 300 && sent !== undefined && wanted) this.compare(`${key} request`, wanted, sent);
  }

  private find(method: string, path: string): Place | undefined {
    const [plain = ''] = path.split('?');
    const found = this.places.filter((place) => place.method === method && place.pattern.test(plain));
    // A path that names a method after a colon says more than one that ends in a model's name.
    return found.toSorted((a, b) => b.name.length - a.name.length)[0];
  }

  private checkAnswer(key: string, content: Content, contentType: string, received: string): void {
    const [type = ''] = contentType.split(';');
    const declared = content[type];
    if (!declared) return this.report(key, `${type} is not in the document`, received);
    const { schema } = declared;
    if (!schema) return;
    if (type !== 'text/event-stream') return this.compare(key, schema, received);
    for (const data of listEvents(received)) this.compare(`${key} event`, schema, data);
  }

  private compare(key: string, schema: object, text: string): void {
    this.compared.set(key, (this.compared.get(key) ?? 0) + 1);
    const validate = this.compile(schema);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return this.report(key, 'the body is not JSON', text);
    }
    if (validate(value)) return;
    const [error] = validate.errors ?? [];
    this.report(key, `${error?.instancePath ?? ''} ${error?.message ?? ''}`, text);
  }

  private compile(schema: object): ValidateFunction {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
    const known = this.validators.get(text) ?? this.ajv.compile(JSON.parse(text) as object);
    this.validators.set(text, known);
    return known;
  }

  private report(key: string, problem: string, text = ''): void {
    const difference = `${key}: ${problem.replaceAll(/\d+/g, '#')}`;
    if (!this.problems.has(difference)) this.problems.set(difference, text.slice(0, 500));
  }
}

/** `/v1/models/{model}:countTokens` as an expression; names of models hold slashes. */
function toPattern(path: string): RegExp {
  const source = path
    .split(/(\{[^}]+\})/)
    .map((part) => {
      if (!part.startsWith('{')) return part.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
      return part === '{model}' ? '.+' : '[^/]+';
    })
    .join('');
  return new RegExp(`^${source}$`);
}

/** The data of every event, but for the word that ends OpenAI's streams. */
function listEvents(text: string): string[] {
  return text
    .split(/\r?\n\r?\n/)
    .map((event) =>
      event
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice('data:'.length).trim())
        .join('\n'),
    )
    .filter((data) => data !== '' && data !== '[DONE]');
}
