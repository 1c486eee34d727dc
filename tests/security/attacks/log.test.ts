import { describeAttacks } from './harness/describe-attacks.js';

describeAttacks('log', 'process');
