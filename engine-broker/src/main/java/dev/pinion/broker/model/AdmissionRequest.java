package dev.pinion.broker.model;

/**
 * A wish for a contract.
 *
 * @param candidate the class that it is for, new or known, as it would be with this contract alone:
 *     its rate is the rate wished for
 * @param joins whether the class is known, so that the rate is added to the one it has
 */
public record AdmissionRequest(ServiceClass candidate, boolean joins) {
  /** Requests/s wished for. */
  public double rate() {
    return candidate.rate();
  }
}
