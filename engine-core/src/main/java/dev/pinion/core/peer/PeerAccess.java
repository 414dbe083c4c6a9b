package dev.pinion.core.peer;

import dev.pinion.core.partition.ReplicaGroup;
import java.util.function.IntSupplier;

/**
 * The other replicas, for requests that they may have to answer.
 *
 * @param group this replica's place among the others
 * @param client client of the other replicas
 * @param load requests under way in this replica, which the others are told
 */
public record PeerAccess(ReplicaGroup group, PeerClient client, IntSupplier load) {}
