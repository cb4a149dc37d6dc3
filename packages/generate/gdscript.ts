// The types and calls of packages/godot, in typed GDScript.

import type { Choice, Endpoint, Field, Model, Shape, Struct } from './model.ts';
import { comment, heading, snake } from './words.ts';

const PLAIN = {
  text: 'String',
  whole: 'int',
  number: 'float',
  truth: 'bool',
  object: 'Dictionary',
  any: 'Variant',
} as const;
const WORDS = new Set('signal class func var match in is as enum name'.split(' '));

/** A field whose name is a word of the language has an underscore behind it. */
function named(name: string): string {
  return WORDS.has(name) ? `${name}_` : name;
}

/** `Signal` is a type of the engine. */
const classOf = (name: string): string => (name === 'Signal' ? 'PlayerSignal' : name);

function bareType(shape: Shape): string {
  switch (shape.kind) {
    case 'list':
      return shape.of.kind === 'list' ? 'Array' : `Array[${typeOf(shape.of)}]`;
    case 'map':
      return 'Dictionary';
    case 'struct':
      return classOf(shape.name);
    case 'choice':
      return 'String';
    default:
      return PLAIN[shape.kind];
  }
}

/** Only objects may be null: whatever else may be is a Variant. */
function typeOf(shape: Shape): string {
  return shape.mayBeNull === true && shape.kind !== 'struct' ? 'Variant' : bareType(shape);
}

function choiceOf({ name, values }: Choice): string {
  const entries = values.map((value) => `"${snake(value).toUpperCase()}": "${value}"`);
  return `const ${snake(name).toUpperCase()} := {${entries.join(', ')}}`;
}

function structOf({ name, about, fields }: Struct): readonly string[] {
  const of = fields.flatMap(({ name: field, shape }) => {
    const inner = shape.kind === 'list' ? shape.of : shape;
    return inner.kind === 'struct' ? [`"${named(field)}": ${classOf(inner.name)}`] : [];
  });
  const lines = fields.map(({ name: field, shape, about: says }) => {
    const doc = says === '' ? '' : ` ## ${says}`;
    return `\tvar ${named(field)}: ${typeOf(shape)}${doc}`;
  });
  const types = of.length === 0 ? [] : [`\tfunc _types() -> Dictionary: return {${of.join(', ')}}`];
  return [
    '',
    ...comment(about, '## '),
    `class ${classOf(name)} extends Shape:`,
    ...lines,
    ...types,
  ];
}

function callOf(endpoint: Endpoint): readonly string[] {
  const { id, about, method, words, query, headers, body, answer, isStream } = endpoint;
  const given = (fields: readonly Field[]): string =>
    `{${fields.map(({ name }) => `"${name}": options.get("${snake(name)}")`).join(', ')}}`;
  const asked = [
    ...(body === null ? [] : ['"body": body']),
    ...(headers.length === 0 || isStream ? [] : [`"headers": ${given(headers)}`]),
  ];
  const options = [...query, ...headers].map(({ name }) => `\`${snake(name)}\``);
  const parameters = [
    ...words.map((word) => `${snake(word)}: String`),
    ...(body === null ? [] : ['body: Dictionary']),
    ...(options.length === 0 ? [] : ['options: Dictionary = {}']),
  ];
  const values = words.map((word) => `${snake(word)}.uri_encode()`);
  const filled = values.length === 0 ? '' : ` % [${values.join(', ')}]`;
  const bare = `"${endpoint.path.replaceAll(/\{\w+\}/g, '%s')}"${filled}`;
  const path = query.length === 0 ? bare : `${bare} + query_of(${given(query)})`;
  const type = answer.kind === 'struct' ? classOf(answer.name) : 'null';
  const says =
    options.length === 0 || isStream ? about : `${about} Options: ${options.join(', ')}.`;
  const head = `func ${snake(id)}(${parameters.join(', ')})`;
  return [
    '',
    ...comment(says, '## '),
    ...(isStream
      ? [`${head} -> String:`, `\treturn ${path}`]
      : [
          `${head} -> Answer:`,
          `\treturn await _asker.call(HTTPClient.METHOD_${method}, ${path}, {${asked.join(', ')}}, ${type})`,
        ]),
  ];
}

const SHAPE = `
## The answer to a call. \`error\` is empty if it worked, and otherwise one of CODES or the client's own.
class Answer:
	var error := ""
	var detail := ""
	var status := 0
	var retry_after := 0.0 ## Seconds; 0 if the service did not say.
	var value: Variant ## What was asked for, as the type that the call names.
	var ok: bool:
		get: return error.is_empty()

## What all types share: they are read from JSON, which stays in \`json\`.
class Shape:
	var json: Dictionary
	func _types() -> Dictionary: return {}
	func _init(from: Dictionary = {}) -> void:
		json = from
		for key: String in from:
			var field := key if key in self else key + "_"
			var value: Variant = from[key]
			if value == null or key == "json" or not field in self: continue
			var type: Variant = _types().get(field)
			if value is Array:
				var each: Array = value if type == null else value.map(func(one: Variant) -> Variant: return type.new(one))
				var list: Array = get(field)
				list.assign(each)
			else:
				set(field, value if type == null else type.new(value))

var _asker: Callable

## Whoever makes it says how to ask: by a method, a path, a Dictionary that may have a body and headers, and what to make of the answer.
func _init(asker: Callable) -> void:
	_asker = asker

## A query with its question mark; empty if nothing is asked for.
func query_of(query: Dictionary) -> String:
	var parts := PackedStringArray()
	for key: String in query:
		if query[key] != null: parts.append(key.uri_encode() + "=" + str(query[key]).uri_encode())
	return "" if parts.is_empty() else "?" + "&".join(parts)`;

export function gdscript({ version, structs, choices, errors, events, endpoints }: Model): string {
  return `${[
    'class_name MusterApi',
    'extends RefCounted',
    `## ${heading(version)}`,
    '',
    '## Status of each code that the service answers.',
    `const CODES := {${errors.map(({ code, status }) => `"${code}": ${status}`).join(', ')}}`,
    '## The events of the stream.',
    `const EVENTS: Array[String] = [${events.map(({ name }) => `"${name}"`).join(', ')}]`,
    ...choices.map(choiceOf),
    SHAPE,
    ...structs.flatMap(structOf),
    ...endpoints.flatMap(callOf),
  ].join('\n')}\n`;
}
