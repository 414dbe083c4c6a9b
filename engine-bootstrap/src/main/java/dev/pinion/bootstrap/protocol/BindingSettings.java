package dev.pinion.bootstrap.protocol;

/**
 * Treatment of callers and definitions that the broker does not know.
 *
 * @param callers source of an instance's service class: {@code label}, {@code contract} or {@code
 *     contract-only}
 * @param callerHeader the header field that names the caller where no handler does; empty for none
 * @param unserved treatment of definitions with unserved abstract services: {@code warn} or {@code
 *     refuse}
 * @param callbackUrl address of this engine for late responses of services: a URI without a
 *     trailing slash; empty when services know it, and receive a path
 * @param throttle treatment of starts beyond the contracted rate: {@code off}, {@code report} or
 *     {@code refuse}
 */
public record BindingSettings(
    String callers, String callerHeader, String unserved, String callbackUrl, String throttle) {
  /** Clients name their class, and every deployment is accepted. */
  public static final BindingSettings OPEN = new BindingSettings("label", "", "warn", "", "report");
}
