import { describeAttacks } from './harness/describe-attacks.js';

describeAttacks('approval', 'process');
