import { describeAttacks } from './harness/describe-attacks.js';

describeAttacks('yaml', 'process');
