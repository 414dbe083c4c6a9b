package dev.pinion.bootstrap.supervise;

import java.util.List;
import java.util.Set;

/** Notified by a supervisor, on its thread. Must return immediately. */
public interface SupervisorListener {
  /**
   * Called once, when for the first time every replica serves or is broken.
   *
   * @param replicas serving replicas
   */
  void onReady(List<ServingReplica> replicas);

  /** Called whenever a replica has started to serve. */
  void onServing(ServingReplica replica);

  /**
   * Called whenever the set of serving replicas changes; before a replica starts to drain.
   *
   * @param replicas the indexes of serving replicas
   */
  void onServingChanged(Set<Integer> replicas);

  /**
   * A serving replica.
   *
   * @param index its place in the plan
   * @param port its reported port
   * @param pid its process
   */
  record ServingReplica(int index, int port, long pid) {}
}
