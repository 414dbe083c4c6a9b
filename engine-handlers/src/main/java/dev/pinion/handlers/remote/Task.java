package dev.pinion.handlers.remote;

import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Message;

/**
 * What a host is to do.
 *
 * @param operation what is called
 * @param chain name of the chain, for people
 * @param step name of the step in its chain, for people
 * @param kind the kind of handler
 * @param settings what the chain sets for the handler
 * @param message as much of the message as the handler reads
 */
record Task(
    Operation operation,
    String chain,
    String step,
    String kind,
    Payload settings,
    Message message) {}
