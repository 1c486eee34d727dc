import { describeAttacks } from './harness/describe-attacks.js';

describeAttacks('args', 'process');
