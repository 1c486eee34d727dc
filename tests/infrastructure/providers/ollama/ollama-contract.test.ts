import { describeAgentProviderContract } from '../../../contracts/agent-provider.contract.js';
import { OLLAMA_WIRE } from '../../../support/fake-model/ollama-wire.js';

describeAgentProviderContract(OLLAMA_WIRE);
