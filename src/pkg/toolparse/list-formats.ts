import type { FormatDeclaration } from './formats/declaration.js';
import { TEXT_FORMATS, WIRE_FORMATS } from './formats/format-table.js';

/** A line of the table, for people and for pickers. */
export interface FormatInfo {
  readonly id: string;
  readonly kind: 'wire' | 'text';
  readonly title: string;
  readonly models: readonly string[];
  /** Whether it counts only for declared tools. */
  readonly declaredOnly: boolean;
  /** Whether the provider's event stream (SSE) can be read, beside its whole body. */
  readonly eventStream: boolean;
  /** The format that is written in just the same way; a call that is found out is reported as that one. */
  readonly sameAs?: string;
  readonly example?: string;
}

/** The built-in formats, wire bodies first. */
export function listFormats(): readonly FormatInfo[] {
  const wire = WIRE_FORMATS.map(({ id, title, models, example }) => ({
    id,
    kind: 'wire' as const,
    title,
    models,
    declaredOnly: false,
    eventStream: true,
    example: example.text,
  }));
  return [...wire, ...TEXT_FORMATS.map(textInfo)];
}

function textInfo(format: FormatDeclaration): FormatInfo {
  return {
    id: format.id,
    kind: 'text',
    title: format.title ?? format.id,
    models: format.models ?? [],
    declaredOnly: format.declaredOnly ?? false,
    eventStream: false,
    ...(format.sameAs === undefined ? {} : { sameAs: format.sameAs }),
    ...(format.example === undefined ? {} : { example: format.example.text }),
  };
}
