import type { FormatDeclaration } from './declaration.js';

/** A format under the name of the models that write it in just the same way as others do. */
interface SameFormat {
  readonly id: string;
  readonly sameAs: string;
  readonly models: readonly string[];
  readonly also?: readonly string[];
}

const SAME: readonly SameFormat[] = [
  { id: 'granite4', sameAs: 'hermes', models: ['Granite 4'] },
  { id: 'ernie45', sameAs: 'hermes', models: ['ERNIE 4.5', 'ERNIE X1'] },
  { id: 'reka_edge', sameAs: 'hermes', models: ['Reka Edge', 'Reka Flash'] },
  { id: 'apriel', sameAs: 'jamba', models: ['Apriel 1.5', 'Apriel 1.6'] },
  { id: 'hunyuan_a13b', sameAs: 'jamba', models: ['Hunyuan-A13B'] },
  { id: 'firefunction_v2', sameAs: 'phi4_mini', models: ['FireFunction v2'] },
  { id: 'deepseek_r1', sameAs: 'deepseek_v3', models: ['DeepSeek R1'] },
  { id: 'muse_glimmer', sameAs: 'anthropic_xml', models: ['Muse Glimmer'] },
  { id: 'k_exaone2', sameAs: 'qwen3_coder', models: ['K-EXAONE 2'] },
  { id: 'step3p5', sameAs: 'qwen3_coder', models: ['Step 3.5'] },
  { id: 'glm47', sameAs: 'glm45', models: ['GLM-4.7', 'GLM-5'] },
  { id: 'poolside_v1', sameAs: 'glm45', models: ['Poolside v1'] },
  { id: 'ling3', sameAs: 'glm45', models: ['Ling 3'] },
  { id: 'xlam', sameAs: 'bare_json', models: ['xLAM-2'], also: ['hermes', 'mistral', 'fenced_json'] },
  { id: 'json_array', sameAs: 'bare_json', models: ['any prompted model'] },
  { id: 'generic_json', sameAs: 'bare_json', models: ['any model behind llama.cpp'] },
  {
    id: 'openai_in_text',
    sameAs: 'bare_json',
    models: ['models that leak OpenAI\u2019s JSON into their text'],
  },
];

/** The declarations of those that are written as one of `formats` is. */
export function sameFormats(formats: readonly FormatDeclaration[]): readonly FormatDeclaration[] {
  return SAME.flatMap(({ id, sameAs, models, also }) => {
    const format = formats.find((candidate) => candidate.id === sameAs);
    const others = also ?? format?.also;
    return format ? [{ ...format, id, sameAs, models, ...(others ? { also: others } : {}) }] : [];
  });
}
