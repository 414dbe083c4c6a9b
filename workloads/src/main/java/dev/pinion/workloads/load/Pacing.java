package dev.pinion.workloads.load;

/** Decides when the clients of a loop send. Used on that loop. */
interface Pacing {
  /**
   * Starts the warm-up.
   *
   * @param warmUpClients number of clients of this loop that may run meanwhile
   */
  void warmUp(int warmUpClients);

  /** Starts measuring responses. */
  void measure();

  /** Ends the measured time: clients end, now or after requests that were due before. */
  void end();

  /** Whether nothing more will be sent. */
  boolean isDone();

  /** Called when a client is connected and awaits nothing. */
  void onFree(LoadClient client);

  /** Called when a client that awaits nothing has lost its connection; it will be free again. */
  void onLost(LoadClient client);
}
