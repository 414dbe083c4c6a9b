package dev.pinion.core.api;

import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.http.AllowedHosts;
import dev.pinion.core.http.ClientConnections;
import dev.pinion.core.http.ConnectionReturn;
import dev.pinion.core.interception.Interceptor;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.partition.ReplicaGroup;
import dev.pinion.core.peer.PeerClient;
import dev.pinion.core.spi.BrokerGateway;
import dev.pinion.core.spi.DefinitionCatalog;
import dev.pinion.core.spi.ExternalEvents;
import java.util.concurrent.Executor;
import java.util.function.IntSupplier;

/**
 * The interfaces of a Request Handler to other parts.
 *
 * @param definitions deployed definitions
 * @param bindings classes of callers, and their bindings
 * @param interceptor handlers of inputs and outputs
 * @param kernels the kernels of this replica
 * @param heap account of the heap that values take in this replica
 * @param ancillary runs deployments off the event loops; bounded by its provider: a rejected task
 *     is answered 503
 * @param readiness source of {@code /readyz}
 * @param replicaGroup this replica's place among the others
 * @param hosts names and addresses by which clients may call it
 * @param peers client of the other replicas
 * @param connectionReturn destination of connections while this replica drains
 * @param clients the open connections of clients of this replica
 * @param load requests under way in this replica
 * @param history access to the history
 * @param broker decides about services and contracts
 * @param events receives external events
 * @param version version of the engine, for the OpenAPI document
 */
public record RequestPorts(
    DefinitionCatalog definitions,
    BindingSource bindings,
    Interceptor interceptor,
    KernelDispatcher kernels,
    HeapAccount heap,
    Executor ancillary,
    Readiness readiness,
    ReplicaGroup replicaGroup,
    AllowedHosts hosts,
    PeerClient peers,
    ConnectionReturn connectionReturn,
    ClientConnections clients,
    IntSupplier load,
    HistoryAccess history,
    BrokerGateway broker,
    ExternalEvents events,
    String version) {}
