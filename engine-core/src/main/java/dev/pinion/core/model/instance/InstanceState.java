package dev.pinion.core.model.instance;

/**
 * The state of an instance as clients see it: its {@link StatusPhase}. There is none for {@link
 * StatusPhase#PENDING}, as an instance that clients see has begun.
 */
public enum InstanceState {
  /** Accepted, and to begin at a time that the client gave. */
  PENDING,
  /** Computing or calling a service. */
  RUNNING,
  /** Idle until a timer fires, an event comes or a child ends. */
  WAITING,
  /** Suspended until a client resumes it. */
  SUSPENDED,
  /** Ended with an output. */
  COMPLETED,
  /** Ended with an error. */
  FAULTED,
  /** Ended by request. */
  CANCELLED;

  /** Whether the instance has ended. */
  public boolean isTerminal() {
    return this == COMPLETED || this == FAULTED || this == CANCELLED;
  }
}
