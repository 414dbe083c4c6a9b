package dev.pinion.core.model;

import java.util.Locale;

/**
 * What the engine makes of callers and definitions that the broker does not know.
 *
 * @param callers who decides which service class an instance has
 * @param callerHeader name of the header field, in lower case, that says who calls where no handler
 *     has said so; empty for none. Whoever can reach the engine can write it, so it belongs behind
 *     a gateway that sets it
 * @param unserved what becomes of a definition whose abstract services nothing serves
 * @param throttle what becomes of starts beyond the rate that was contracted
 */
public record BindingRules(
    CallerRule callers, String callerHeader, UnservedRule unserved, ThrottleRule throttle) {
  /** Clients name their class, and whatever is deployed is taken. */
  public static final BindingRules OPEN = new BindingRules(CallerRule.LABEL, "", UnservedRule.WARN);

  /** Rules under which callers may send as much as they like. */
  public BindingRules(CallerRule callers, String callerHeader, UnservedRule unserved) {
    this(callers, callerHeader, unserved, ThrottleRule.OFF);
  }

  /** Takes the name of the field in any case. */
  public BindingRules {
    callerHeader = callerHeader.toLowerCase(Locale.ROOT);
  }
}
