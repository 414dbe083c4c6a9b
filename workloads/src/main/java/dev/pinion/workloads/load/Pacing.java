package dev.pinion.workloads.load;

/** Decides when the clients of a loop send. Used on that loop. */
interface Pacing {
  /**
   * Begins to warm up.
   *
   * @param warmUpClients how many clients of this loop may run meanwhile
   */
  void warmUp(int warmUpClients);

  /** From now on answers are measured. */
  void measure();

  /** The measured time is over: clients end, now or when they have done what was due before. */
  void end();

  /** Whether nothing more will be sent. */
  boolean isDone();

  /** A client is connected and awaits nothing. */
  void onFree(LoadClient client);

  /** A client that awaits nothing has lost its connection; it will be free again. */
  void onLost(LoadClient client);
}
