package dev.pinion.core.api.port;

import dev.pinion.core.spi.BrokerGateway;
import dev.pinion.core.spi.ExternalEvents;

/**
 * Parts of the engine outside of the replica that answer requests.
 *
 * @param history access to the history
 * @param broker decides about services and contracts
 * @param events receives external events
 */
public record ExternalServices(
    HistoryAccess history, BrokerGateway broker, ExternalEvents events) {}
