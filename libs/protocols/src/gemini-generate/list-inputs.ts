import { limitAnswer } from '../canonical/limit-items.js';
import { readObject, readObjects } from '../canonical/read-fields.js';
import { isObject, type JsonObject } from '../json.js';
import { countGeminiItems } from './count-items.js';
import { readResult } from './decode-parts.js';

/** The arguments of the calls of a request and what tools gave back, in either spelling, as far as they are no texts. */
export function listGeminiInputs({ contents }: JsonObject): readonly object[] {
  const parts = readObjects(contents).flatMap((content) => readObjects(content.parts));
  return parts.flatMap((part) => {
    const call = readObject(part.functionCall ?? part.function_call);
    const response = readObject(part.functionResponse ?? part.function_response);
    const values = [call?.args, response && readResult(response).value];
    return values.filter((value) => typeof value === 'object' && value !== null);
  });
}

/** The arguments of the calls of an answer. @throws GatewayError `upstream_error` where it holds more than is converted. */
export function listGeminiAnswerInputs(answer: JsonObject): readonly object[] {
  limitAnswer(countGeminiItems(answer));
  return listGeminiInputs({ contents: readObjects(answer.candidates).map(({ content }) => content) });
}

/** The schemas of a request in the dialect of OpenAPI, in either spelling of the members around them. */
export function listOpenApiSchemas({
  tools,
  generationConfig,
  generation_config,
}: JsonObject): readonly JsonObject[] {
  const declarations = readObjects(tools).flatMap((tool) =>
    readObjects(tool.functionDeclarations ?? tool.function_declarations),
  );
  const config = readObject(generationConfig ?? generation_config);
  const schemas = [
    ...declarations.map(({ parameters }) => parameters),
    config?.responseSchema ?? config?.response_schema,
  ];
  return schemas.filter(isObject);
}
