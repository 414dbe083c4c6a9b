package dev.pinion.core.api.port;

import dev.pinion.core.http.ClientAccess;
import dev.pinion.core.peer.PeerAccess;
import dev.pinion.core.spi.DefinitionCatalog;

/**
 * The interfaces of a Request Handler to other parts.
 *
 * @param kernels the kernels of this replica
 * @param definitions deployed definitions
 * @param policies how callers and their messages are treated
 * @param clients how clients reach this replica
 * @param peers the other replicas
 * @param services parts of the engine outside of the replica
 * @param replica this replica
 */
public record RequestPorts(
    KernelAccess kernels,
    DefinitionCatalog definitions,
    CallerPolicies policies,
    ClientAccess clients,
    PeerAccess peers,
    ExternalServices services,
    LocalReplica replica) {}
