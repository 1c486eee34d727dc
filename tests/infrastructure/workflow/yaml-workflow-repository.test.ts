import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  loadWorkflow,
  YamlWorkflowRepository,
} from '../../../src/infrastructure/workflow/yaml-workflow-repository.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const EXAMPLE = 'examples/workflows/autonomous-coding.yaml';

describe('YamlWorkflowRepository', () => {
  it('loads a file, with its name and the hash of its bytes', async () => {
    const workflow = await new YamlWorkflowRepository().load(EXAMPLE);
    expect(workflow.file).toBe(EXAMPLE);
    expect(workflow.hash).toBe(createHash('sha256').update(readFileSync(EXAMPLE)).digest('hex'));
  });

  it('tells every problem with the name of the file', async () => {
    const file = join(temporaryFolder(), 'broken.yaml');
    writeFileSync(file, 'tols: []\nsteps: 5');
    await expect(loadWorkflow(file)).rejects.toMatchObject({
      name: 'WorkflowProblemsError',
      problems: [
        { file, line: 1 },
        { file, line: 2 },
      ],
    });
  });

  it('knows the handlers it is told', async () => {
    const file = join(temporaryFolder(), 'handlers.yaml');
    writeFileSync(file, 'steps: [{ name: a, provider: p, prompt: x, tools: [mine] }]');
    expect((await loadWorkflow(file, { handlers: ['mine'] })).steps[0]?.tools).toEqual(['mine']);
    await expect(loadWorkflow(file, { handlers: [] })).rejects.toMatchObject({
      code: 'WORKFLOW.VALIDATION.MISSING_TOOL',
    });
  });
});
