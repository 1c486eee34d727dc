import { describeAgentProviderContract } from '../../../contracts/agent-provider.contract.js';
import { ANTHROPIC_WIRE } from '../../../support/fake-model/anthropic-wire.js';

describeAgentProviderContract(ANTHROPIC_WIRE);
