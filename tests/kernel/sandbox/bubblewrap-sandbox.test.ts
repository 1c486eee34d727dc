import { afterAll } from '@jest/globals';
import { BubblewrapSandbox } from '../../../src/infrastructure/sandbox/bubblewrap/bubblewrap-sandbox.js';
import { SystemSandbox } from '../../../src/infrastructure/sandbox/system-sandbox.js';
import { describeSandboxContract } from '../../contracts/sandbox.contract.js';
import { describeServiceContract } from '../../contracts/service.contract.js';

const cold = new BubblewrapSandbox({ warm: 0 });
const warm = new SystemSandbox(new BubblewrapSandbox());
afterAll(() => warm.close());

describeSandboxContract('BubblewrapSandbox', () => cold);
describeSandboxContract('SystemSandbox', () => warm);
describeServiceContract('BubblewrapSandbox', () => cold);
describeServiceContract('SystemSandbox', () => warm);
