import { describeAttacks } from './harness/describe-attacks.js';

describeAttacks('resource', 'process');
