package dev.pinion.core.request;

import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.model.OwnHosts;
import dev.pinion.core.peer.Neighbourhood;
import dev.pinion.core.peer.PeerClient;
import dev.pinion.core.spi.Around;
import dev.pinion.core.spi.BindingSource;
import dev.pinion.core.spi.BrokerFront;
import dev.pinion.core.spi.Definitions;
import dev.pinion.core.spi.ExternalEvents;
import java.util.concurrent.Executor;
import java.util.function.IntSupplier;

/**
 * What a Request Handler works with.
 *
 * @param definitions deployed definitions
 * @param bindings classes of callers, and what is bound for them
 * @param around what happens to inputs and outputs on their way
 * @param kernels the kernels of this replica
 * @param heap what values take of the heap of this replica
 * @param ancillary runs deployments off the event loops; bounded by whoever provides it: a task it
 *     rejects is answered 503
 * @param readiness what {@code /readyz} tells
 * @param neighbourhood this replica's place among the others
 * @param hosts names and addresses under which clients may call it
 * @param peers the way to them
 * @param handback where connections go while this replica drains
 * @param clients the open connections of clients of this replica
 * @param load requests under way in this replica
 * @param history where questions about the past are answered
 * @param broker decides about services and contracts
 * @param events takes what happened outside
 * @param version version of the engine, for the OpenAPI document
 */
public record RequestPorts(
    Definitions definitions,
    BindingSource bindings,
    Around around,
    KernelDirectory kernels,
    HeapAccount heap,
    Executor ancillary,
    Readiness readiness,
    Neighbourhood neighbourhood,
    OwnHosts hosts,
    PeerClient peers,
    Handback handback,
    ClientConnections clients,
    IntSupplier load,
    HistoryDesk history,
    BrokerFront broker,
    ExternalEvents events,
    String version) {}
