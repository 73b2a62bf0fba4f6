import { refuseField } from '../canonical/refuse.js';
import { isObject, type JsonObject } from '../json.js';

/** Of all objects of an order. Providers' own fields are some dozens; the points of a camera's path are a thousand. */
const MOST_MEMBERS = 2_000;
/** Of the names of all members together. */
const MOST_NAME_CHARACTERS = 32 * 1024;
/** Of all lists of an order together. */
const MOST_ITEMS = 20_000;

/**
 * Bounds how much an order holds beside its texts and pictures: each name in it is compared with those that decide on the price, and
 * lists are gone through, all in one step.
 *
 * @throws GatewayError `invalid_request` naming the field at the top level that holds too much.
 */
export function limitOrder(order: JsonObject): void {
  let members = 0;
  let characters = 0;
  let items = 0;
  const addObject = (object: JsonObject, field?: string) => {
    const names = Object.keys(object);
    members += names.length;
    if (members > MOST_MEMBERS) {
      refuseField(field ?? 'body', `holds too much: a request has at most ${MOST_MEMBERS} members`);
    }
    for (const name of names) {
      characters += name.length;
      add(object[name], field ?? name);
    }
    if (characters > MOST_NAME_CHARACTERS) {
      refuseField(
        field ?? 'body',
        `holds too much: names of a request have at most ${MOST_NAME_CHARACTERS} characters`,
      );
    }
  };
  const add = (value: unknown, field: string) => {
    if (isObject(value)) addObject(value, field);
    if (!Array.isArray(value)) return;
    items += value.length;
    if (items > MOST_ITEMS) {
      refuseField(field, `holds too much: lists of a request have at most ${MOST_ITEMS} items`);
    }
    for (const item of value) add(item, field);
  };
  addObject(order);
}
