package dev.pinion.broker.model;

/**
 * A request for a contract.
 *
 * @param candidate its class, new or known, with this contract alone: its rate is the requested
 *     rate
 * @param joins whether the class is known, so that the rate is added to the one it has
 */
public record AdmissionRequest(ServiceClass candidate, boolean joins) {
  /** Requested requests/s. */
  public double rate() {
    return candidate.rate();
  }
}
