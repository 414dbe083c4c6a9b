package dev.pinion.bootstrap.supervise;

import java.util.List;
import java.util.Set;

/** Told by a supervisor, on its thread, what others act on. Must return at once. */
public interface SupervisorListener {
  /**
   * Told once, when for the first time every replica serves or is given up for now.
   *
   * @param replicas those that serve
   */
  void onReady(List<Running> replicas);

  /** Told whenever a replica has begun to serve. */
  void onServes(Running replica);

  /**
   * Told whenever it changes which replicas serve; before a replica begins to drain.
   *
   * @param replicas the indexes of those that serve now
   */
  void onServing(Set<Integer> replicas);

  /**
   * A replica that serves.
   *
   * @param index its place in the plan
   * @param port the port it told
   * @param pid its process
   */
  record Running(int index, int port, long pid) {}
}
