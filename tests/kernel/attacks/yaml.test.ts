import { describeAttacks } from '../../security/attacks/harness/describe-attacks.js';

// These start no process, so that the kernel has little to hold: the catalogue is enough.
describeAttacks('yaml', 'kernel', ['cases']);
