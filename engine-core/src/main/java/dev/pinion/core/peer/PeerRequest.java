package dev.pinion.core.peer;

/** A request in progress. */
public interface PeerRequest {
  /** Cancels it; its receiver gets no reply. The other replica continues what it has begun. */
  void cancel();
}
