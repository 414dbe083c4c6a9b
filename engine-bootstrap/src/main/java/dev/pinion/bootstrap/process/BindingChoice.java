package dev.pinion.bootstrap.process;

/**
 * What replicas make of callers and definitions that the broker does not know.
 *
 * @param callers who decides which service class an instance has: {@code label}, {@code contract}
 *     or {@code contract-only}
 * @param callerHeader the header field that says who calls where no handler does; empty for none
 * @param unserved what becomes of definitions whose abstract services nothing serves: {@code warn}
 *     or {@code refuse}
 * @param callbackUrl how services that answer later reach this engine: a URI without a trailing
 *     slash; empty when they know it, and are told a path
 * @param throttle what becomes of starts beyond the contracted rate: {@code off}, {@code report} or
 *     {@code refuse}
 */
public record BindingChoice(
    String callers, String callerHeader, String unserved, String callbackUrl, String throttle) {
  /** Clients name their class, and whatever is deployed is taken. */
  public static final BindingChoice OPEN = new BindingChoice("label", "", "warn", "", "report");
}
