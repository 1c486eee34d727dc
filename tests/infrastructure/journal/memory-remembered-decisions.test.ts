import { MemoryRememberedDecisions } from '../../../src/infrastructure/journal/memory-remembered-decisions.js';
import { describeRememberedDecisionsContract } from '../../contracts/remembered-decisions.contract.js';

describeRememberedDecisionsContract('MemoryRememberedDecisions', () => new MemoryRememberedDecisions());
